package io.galop.ingest.mqtt;

import io.galop.config.ingest.MqttDoorConfig;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.MqttProperty;
import io.netty.handler.codec.mqtt.MqttProperties.StringProperty;
import io.vertx.mqtt.MqttEndpoint;
import java.util.UUID;

/** What a client asked for when it connected, and what it is granted. */
final class MqttConnect {
  private static final int FOR_EVER_BEFORE_5 = -1;

  private final MqttEndpoint endpoint;
  private final MqttDoorConfig config;
  private final boolean hasReasons;
  private final boolean named;
  private final long asked;

  MqttConnect(MqttEndpoint endpoint, MqttDoorConfig config, boolean hasReasons) {
    this.endpoint = endpoint;
    this.config = config;
    this.hasReasons = hasReasons;
    this.named = endpoint.clientIdentifier() != null && !endpoint.clientIdentifier().isEmpty();
    if (!named) {
      endpoint.setClientIdentifier(UUID.randomUUID().toString());
    }
    this.asked = asked();
  }

  private long asked() {
    if (!hasReasons) {
      return endpoint.isCleanSession() ? 0 : Integer.toUnsignedLong(FOR_EVER_BEFORE_5);
    }
    return expiry(endpoint.connectProperties(), 0);
  }

  private static long expiry(MqttProperties properties, long otherwise) {
    MqttProperty<?> given = properties.getProperty(MqttProperties.SESSION_EXPIRY_INTERVAL);
    return given == null ? otherwise : Integer.toUnsignedLong((Integer) given.value());
  }

  String clientId() {
    return endpoint.clientIdentifier();
  }

  /** Whether what is known of the client has to be forgotten. */
  boolean isClean() {
    return endpoint.isCleanSession() || !named;
  }

  /** How long its session is kept after the end of the connection, in seconds. */
  long keepSeconds() {
    return named ? Math.min(asked, config.sessionExpirySeconds()) : 0;
  }

  /** The same after a goodbye, which may ask for less. */
  long keepSeconds(MqttProperties goodbye) {
    return Math.min(keepSeconds(), expiry(goodbye, asked));
  }

  /** What a client is told from MQTT 5 on. */
  MqttProperties limits() {
    MqttProperties limits = new MqttProperties();
    MqttAnswers.limit(limits, MqttProperties.RECEIVE_MAXIMUM, config.maxUnacknowledged());
    MqttAnswers.limit(limits, MqttProperties.MAXIMUM_PACKET_SIZE, config.maxMessageBytes());
    if (keepSeconds() != asked) {
      MqttAnswers.limit(limits, MqttProperties.SESSION_EXPIRY_INTERVAL, (int) keepSeconds());
    }
    if (!named) {
      limits.add(new StringProperty(MqttProperties.ASSIGNED_CLIENT_IDENTIFIER, clientId()));
    }
    return limits;
  }

  /** What is wrong with a packet beyond the limit, which a client before MQTT 5 does not know. */
  String tooLarge() {
    return "the message is larger than the %d bytes of ingest.mqtt.maxMessageBytes; send less"
        .formatted(config.maxMessageBytes());
  }
}
