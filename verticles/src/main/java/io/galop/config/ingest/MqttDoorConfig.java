package io.galop.config.ingest;

import io.galop.config.tls.TlsConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Records over MQTT. */
public record MqttDoorConfig(
    @Doc("Whether the door is open.") @Default("true") boolean enabled,
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("1883") @Range(min = 0, max = 65535) int port,
    @Doc("Largest MQTT message.") @Default("131072") @Range(min = 1024, max = 268_435_455)
        int maxMessageBytes,
    @Doc("Unacknowledged messages per connection.") @Default("1024") @Range(min = 1, max = 65_535)
        int maxUnacknowledged,
    @Doc("Whether a payload is {\"data\":{…},\"id\":…,\"time\":…} instead of data.")
        @Default("false")
        boolean envelope,
    @Doc(
            "The field for a payload that is no JSON object: 71.2 becomes {\"value\":71.2}. Empty:"
                + " refused.")
        @Default("value")
        String valueField,
    @Doc("An empty retained message: record makes it {\"gone\":true}; keep only acknowledges it.")
        @Default("record")
        OnClear onClear,
    @Doc(
            "A client's will: publish makes it a record, gone makes it {\"gone\":true}, ignore"
                + " drops it.")
        @Default("publish")
        OnWill onWill,
    @Doc("How long the node remembers an absent client's session.")
        @Default("3600")
        @Range(min = 0, max = 604_800)
        int sessionExpirySeconds,
    @Doc("Remembered sessions and unreleased QoS 2 messages.")
        @Default("10000")
        @Range(min = 0, max = 10_000_000)
        int maxSessions,
    @Doc("TLS of this listener.") TlsConfig tls,
    @Doc(
            "Whether the listener may be on an address off loopback without TLS: "
                + "whoever is on the way reads and changes everything.")
        @Default("false")
        boolean insecure) {
  /** What becomes of a retained message without payload. */
  public enum OnClear {
    /** It is the record {@code {"gone":true}}. */
    RECORD,
    /** Nothing: the last record stands. */
    KEEP
  }

  /** What becomes of a will. */
  public enum OnWill {
    /** It is taken as a message. */
    PUBLISH,
    /** It is the record {@code {"gone":true}}. */
    GONE,
    /** Nothing. */
    IGNORE
  }
}
