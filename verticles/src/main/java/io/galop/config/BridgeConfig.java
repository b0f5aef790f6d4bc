package io.galop.config;

/** Records over the Vert.x TCP event-bus bridge; on loopback only. */
public record BridgeConfig(
    @Doc("Whether the bridge is open.") @Default("true") boolean enabled,
    @Doc("The port; 0 takes a free one.") @Default("7000") @Range(min = 0, max = 65535) int port) {}
