package io.galop.config;

/** The port for operators. */
public record ManagementConfig(
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("9090") @Range(min = 0, max = 65535) int port) {}
