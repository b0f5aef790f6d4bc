package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Records over MQTT. */
public record MqttDoorConfig(
    @Doc("Whether the door is open.") @Default("true") boolean enabled,
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("1883") @Range(min = 0, max = 65535) int port,
    @Doc("Largest MQTT message; a larger one ends the connection.")
        @Default("131072")
        @Range(min = 1024, max = 268_435_455)
        int maxMessageBytes,
    @Doc("Unacknowledged messages per connection.") @Default("1024") @Range(min = 1, max = 65_535)
        int maxUnacknowledged,
    @Doc(
            "Whether a payload is {\"data\":{…},\"id\":…,\"time\":…}, id and time optional, instead"
                + " of the data alone.")
        @Default("false")
        boolean envelope,
    @Doc(
            "The field for a payload that is no JSON object: 71.2 becomes "
                + "{\"value\":71.2}. Empty: such payloads are refused. Not used with "
                + "envelope.")
        @Default("value")
        String valueField,
    @Doc(
            "A retained message without payload, by which MQTT clears a topic: "
                + "record makes it the record {\"gone\":true}; keep acknowledges it, and "
                + "the last record stays.")
        @Default("record")
        OnClear onClear,
    @Doc(
            "The will of a client that vanishes: publish takes it as a message; "
                + "gone makes it the record {\"gone\":true}; ignore drops it.")
        @Default("publish")
        OnWill onWill,
    @Doc(
            "How long the node remembers the session of an absent client, so that "
                + "it stores no QoS 2 message twice when the client returns.")
        @Default("3600")
        @Range(min = 0, max = 604_800)
        int sessionExpirySeconds,
    @Doc(
            "Sessions that a node keeps; each unreleased QoS 2 message counts as "
                + "one more. Beyond, the one left first is forgotten.")
        @Default("10000")
        @Range(min = 0, max = 10_000_000)
        int maxSessions) {
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
