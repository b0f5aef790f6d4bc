package io.galop.config.broadcast;

import io.galop.config.tls.TlsConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Showing records to clients of MQTT. */
public record MqttViewersConfig(
    @Doc("Whether clients of MQTT may subscribe, at a port of their own.") @Default("false")
        boolean enabled,
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("1884") @Range(min = 0, max = 65535) int port,
    @Doc("Whether they may subscribe at /mqtt of the http listener, in a websocket.")
        @Default("false")
        boolean websocket,
    @Doc("Unacknowledged QoS 1 messages per client; fewer where it asks for that.")
        @Default("1000")
        @Range(min = 1, max = 65_535)
        int maxInFlight,
    @Doc("How long the node remembers an absent client's session.")
        @Default("3600")
        @Range(min = 0, max = 604_800)
        int sessionExpirySeconds,
    @Doc(
            "Remembered sessions of absent clients, with 100 filters and Positions on average; "
                + "beyond, the longest absent go.")
        @Default("10000")
        @Range(min = 0, max = 1_000_000)
        int maxSessions,
    @Doc("TLS of this listener.") TlsConfig tls,
    @Doc(
            "Whether the listener may be on an address off loopback without TLS: "
                + "whoever is on the way reads everything.")
        @Default("false")
        boolean insecure) {}
