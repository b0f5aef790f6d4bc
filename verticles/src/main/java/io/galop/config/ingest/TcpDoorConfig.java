package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Records over TCP. */
public record TcpDoorConfig(
    @Doc("Whether the door is open.") @Default("true") boolean enabled,
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("7700") @Range(min = 0, max = 65535) int port,
    @Doc("Closes a connection that sends nothing for this time; 0 never.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int idleTimeoutSeconds,
    @Doc("Largest Protobuf Batch; a larger one ends the connection.")
        @Default("4194304")
        @Range(min = 1024, max = 268_435_456)
        int maxMessageBytes) {}
