package io.galop.config.ingest;

import io.galop.config.tls.TlsConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Records over the Vert.x TCP event-bus bridge; on loopback only. */
public record BridgeConfig(
    @Doc("Whether the bridge is open.") @Default("true") boolean enabled,
    @Doc("The port; 0 takes a free one.") @Default("7000") @Range(min = 0, max = 65535) int port,
    @Doc("Largest frame.") @Default("8388608") @Range(min = 1024, max = 1_073_741_824)
        int maxMessageBytes,
    @Doc("TLS of this listener.") TlsConfig tls) {}
