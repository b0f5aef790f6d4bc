package io.galop.config;

/** Records over MQTT. */
public record MqttDoorConfig(
    @Doc("Whether the door is open.") @Default("true") boolean enabled,
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("1883") @Range(min = 0, max = 65535) int port,
    @Doc("Largest MQTT message, in bytes; a larger one ends the connection.")
        @Default("131072")
        @Range(min = 1024, max = 268_435_455)
        int maxMessageBytes,
    @Doc("How many messages of one connection may wait for their acknowledgement.")
        @Default("1024")
        @Range(min = 1, max = 65_535)
        int maxUnacknowledged,
    @Doc(
            "Whether a payload is {\"data\":{…},\"id\":…,\"time\":…}, id and time optional, instead"
                + " of the data alone.")
        @Default("false")
        boolean envelope) {}
