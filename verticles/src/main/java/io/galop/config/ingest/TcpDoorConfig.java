package io.galop.config.ingest;

import io.galop.config.tls.TlsConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Records over TCP. */
public record TcpDoorConfig(
    @Doc("Whether the door is open.") @Default("true") boolean enabled,
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("7700") @Range(min = 0, max = 65535) int port,
    @Doc("Closes a connection after this silence; 0 never.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int idleTimeoutSeconds,
    @Doc("Largest Protobuf Batch.") @Default("4194304") @Range(min = 1024, max = 268_435_456)
        int maxMessageBytes,
    @Doc("TLS of this listener.") TlsConfig tls,
    @Doc(
            "Whether the listener may be on an address off loopback without TLS: "
                + "whoever is on the way reads and changes everything.")
        @Default("false")
        boolean insecure) {}
