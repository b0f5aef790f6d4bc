package io.galop.config;

/** The port for browsers and the http door. */
public record HttpConfig(
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("8080") @Range(min = 0, max = 65535) int port,
    @Doc("A connection without any byte for so long is closed, in seconds; 0 never.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int idleTimeoutSeconds) {}
