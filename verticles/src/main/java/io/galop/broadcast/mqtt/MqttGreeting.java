package io.galop.broadcast.mqtt;

import io.galop.config.broadcast.MqttViewersConfig;
import io.galop.socket.MqttReason;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.MqttProperty;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** What a client says in its CONNECT, and what of it is granted. */
final class MqttGreeting {
  private static final int FIVE = 5;
  private static final long FOR_EVER = 0xffff_ffffL;
  private static final int MOST_IN_FLIGHT = 65_535;

  private final MqttConnectMessage connect;
  private final MqttViewersConfig config;
  private final String clientId;

  MqttGreeting(MqttConnectMessage connect, MqttViewersConfig config) {
    this.connect = connect;
    this.config = config;
    this.clientId = isNamed() ? connect.payload().clientIdentifier() : UUID.randomUUID().toString();
  }

  /**
   * Looks for what is not to be had here.
   *
   * @throws MqttRefused naming it
   */
  void check() throws MqttRefused {
    if (!isFive() && !isNamed() && !isClean()) {
      throw new MqttRefused(
          MqttRefused.BAD_CLIENT_ID, "a client without an id must ask for a clean session");
    }
    if (connect.variableHeader().isWillFlag()) {
      throw new MqttRefused(
          MqttRefused.NOT_AUTHORIZED, "viewers cannot publish, and so leave no will");
    }
    if (properties().getProperty(MqttProperties.AUTHENTICATION_METHOD) != null) {
      throw new MqttRefused(
          MqttRefused.BAD_METHOD, "there is no authentication method but the password");
    }
  }

  boolean isFive() {
    return connect.variableHeader().version() >= FIVE;
  }

  private MqttProperties properties() {
    return connect.variableHeader().properties();
  }

  private long number(int property, long otherwise) {
    MqttProperty<?> given = properties().getProperty(property);
    return given == null ? otherwise : Integer.toUnsignedLong((Integer) given.value());
  }

  /** Whether the client has an id of its own. */
  boolean isNamed() {
    String given = connect.payload().clientIdentifier();
    return given != null && !given.isEmpty();
  }

  String clientId() {
    return clientId;
  }

  /** The token: the password, or else the user name. */
  String token() {
    byte[] password = connect.payload().passwordInBytes();
    if (password != null && password.length > 0) {
      return new String(password, StandardCharsets.UTF_8);
    }
    String user = connect.payload().userName();
    return user == null ? "" : user;
  }

  /** Whether what is known of the client has to be forgotten. */
  boolean isClean() {
    return connect.variableHeader().isCleanSession();
  }

  /** How long the client wants its session to be kept, in seconds. */
  long askedSeconds() {
    return isFive() ? number(MqttProperties.SESSION_EXPIRY_INTERVAL, 0) : isClean() ? 0 : FOR_EVER;
  }

  /** How long its session is kept after the end of the connection, in seconds. */
  long keepSeconds() {
    return isNamed() ? Math.min(askedSeconds(), config.sessionExpirySeconds()) : 0;
  }

  /** The same after a goodbye that may ask for another time. */
  long keepSeconds(MqttProperties goodbye) {
    MqttProperty<?> given = goodbye.getProperty(MqttProperties.SESSION_EXPIRY_INTERVAL);
    return given == null
        ? keepSeconds()
        : Math.min(keepSeconds(), Integer.toUnsignedLong((Integer) given.value()));
  }

  /** After how many seconds of silence the client is gone (MQTT, 3.1.2.10); 0: never. */
  long silenceSeconds() {
    int keepAlive = connect.variableHeader().keepAliveTimeSeconds();
    return keepAlive + (keepAlive + 1) / 2;
  }

  /** How many records of QoS 1 may be unacknowledged. */
  int window() {
    long takes = number(MqttProperties.RECEIVE_MAXIMUM, MOST_IN_FLIGHT);
    return (int) Math.max(1, Math.min(takes, config.maxInFlight()));
  }

  /** The largest packet that the client takes, in bytes; 0: any. */
  long maxPacketBytes() {
    return number(MqttProperties.MAXIMUM_PACKET_SIZE, 0);
  }

  /** What the client lets itself be told in words. */
  MqttReason reason() {
    return new MqttReason(properties());
  }
}
