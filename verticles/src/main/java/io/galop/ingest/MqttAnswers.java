package io.galop.ingest;

import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttProperties.StringProperty;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.vertx.mqtt.MqttEndpoint;
import io.vertx.mqtt.messages.MqttSubscribeMessage;
import io.vertx.mqtt.messages.codes.MqttDisconnectReasonCode;
import io.vertx.mqtt.messages.codes.MqttPubAckReasonCode;
import io.vertx.mqtt.messages.codes.MqttSubAckReasonCode;
import java.util.Collections;

/**
 * What a sender is told, as well as its version of MQTT can say it: from 5 on with a reason, before
 * that with nothing but a PUBACK, its absence, or the end of the connection.
 */
final class MqttAnswers {
  private static final int WITH_REASONS = 5;
  private static final String NO_BROKER =
      "records are taken in here, not handed out; subscribe over SockJS at /live";

  private final MqttEndpoint endpoint;

  MqttAnswers(MqttEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  private boolean hasReasons() {
    return endpoint.protocolVersion() >= WITH_REASONS;
  }

  void noToken() {
    endpoint.reject(
        hasReasons()
            ? MqttConnectReturnCode.CONNECTION_REFUSED_BAD_USERNAME_OR_PASSWORD
            : MqttConnectReturnCode.CONNECTION_REFUSED_BAD_USER_NAME_OR_PASSWORD);
  }

  void closing() {
    endpoint.reject(
        hasReasons()
            ? MqttConnectReturnCode.CONNECTION_REFUSED_SERVER_UNAVAILABLE_5
            : MqttConnectReturnCode.CONNECTION_REFUSED_SERVER_UNAVAILABLE);
  }

  void accept(int maxUnacknowledged, int maxMessageBytes) {
    if (!hasReasons()) {
      endpoint.accept(false);
      return;
    }
    MqttProperties limits = new MqttProperties();
    limits.add(new IntegerProperty(MqttProperties.MAXIMUM_QOS, 1));
    limits.add(new IntegerProperty(MqttProperties.RECEIVE_MAXIMUM, maxUnacknowledged));
    limits.add(new IntegerProperty(MqttProperties.MAXIMUM_PACKET_SIZE, maxMessageBytes));
    endpoint.accept(false, limits);
  }

  void noSubscription(MqttSubscribeMessage message) {
    int count = message.topicSubscriptions().size();
    if (hasReasons()) {
      endpoint.subscribeAcknowledge(
          message.messageId(),
          Collections.nCopies(count, MqttSubAckReasonCode.NOT_AUTHORIZED),
          because(NO_BROKER));
    } else {
      endpoint.subscribeAcknowledge(
          message.messageId(), Collections.nCopies(count, MqttQoS.FAILURE));
    }
  }

  void acknowledge(int messageId) {
    endpoint.publishAcknowledge(messageId);
  }

  /**
   * Answers a message that was rejected.
   *
   * <p>Before 5, what would be rejected again is acknowledged, or its sender would offer it for
   * ever and nothing behind it; what may be taken later ends the connection, after which the sender
   * offers it again.
   *
   * @return whether the connection goes on
   */
  boolean reject(int messageId, Rejection rejection) {
    if (hasReasons()) {
      endpoint.publishAcknowledge(messageId, code(rejection.reason()), because(rejection.detail()));
      return true;
    }
    if (isForLater(rejection.reason())) {
      endpoint.close();
      return false;
    }
    endpoint.publishAcknowledge(messageId);
    return true;
  }

  static boolean isForLater(Reason reason) {
    return reason == Reason.OVER_QUOTA || reason == Reason.UNAVAILABLE;
  }

  private static MqttPubAckReasonCode code(Reason reason) {
    return switch (reason) {
      case TOPIC_NOT_ALLOWED -> MqttPubAckReasonCode.TOPIC_NAME_INVALID;
      case OVER_QUOTA -> MqttPubAckReasonCode.QUOTA_EXCEEDED;
      case UNAVAILABLE -> MqttPubAckReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
      default -> MqttPubAckReasonCode.PAYLOAD_FORMAT_INVALID;
    };
  }

  /** QoS 2 is not offered; before 5 there was no way to say so at once. */
  void noQos2() {
    if (hasReasons()) {
      endpoint.disconnect(
          MqttDisconnectReasonCode.QOS_NOT_SUPPORTED, because("send with QoS 0 or 1"));
    } else {
      endpoint.close();
    }
  }

  void goodbye() {
    if (hasReasons()) {
      endpoint.disconnect(
          MqttDisconnectReasonCode.SERVER_SHUTTING_DOWN, because("the node is shutting down"));
    } else {
      endpoint.close();
    }
  }

  private static MqttProperties because(String sentence) {
    MqttProperties properties = new MqttProperties();
    properties.add(new StringProperty(MqttProperties.REASON_STRING, sentence));
    return properties;
  }
}
