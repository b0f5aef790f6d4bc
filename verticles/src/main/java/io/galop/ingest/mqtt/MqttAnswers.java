package io.galop.ingest.mqtt;

import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.galop.socket.MqttReason;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttProperties.StringProperty;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.vertx.core.Vertx;
import io.vertx.mqtt.MqttEndpoint;
import io.vertx.mqtt.messages.MqttSubscribeMessage;
import io.vertx.mqtt.messages.codes.MqttDisconnectReasonCode;
import io.vertx.mqtt.messages.codes.MqttPubAckReasonCode;
import io.vertx.mqtt.messages.codes.MqttSubAckReasonCode;
import java.util.Collections;

/**
 * What a sender is told, as well as its version of MQTT can say it: from 5 on with a reason, before
 * that with nothing but an acknowledgement, its absence, or the end of the connection. What was
 * refused is never acknowledged (MQTT 3.1.1, 3.3.5).
 */
final class MqttAnswers {
  private static final int WITH_REASONS = 5;
  private static final String NO_BROKER =
      "records are taken in here, not handed out; subscribe at broadcast.mqtt, or at /live";

  private final MqttEndpoint endpoint;
  private boolean isClosed;

  MqttAnswers(MqttEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  boolean hasReasons() {
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

  /** The client's will could not be published. */
  void badWill(Rejection rejection) {
    if (!hasReasons()) {
      endpoint.reject(MqttConnectReturnCode.CONNECTION_REFUSED_NOT_AUTHORIZED);
      return;
    }
    MqttConnectReturnCode code =
        rejection.reason() == Reason.TOPIC_NOT_ALLOWED
            ? MqttConnectReturnCode.CONNECTION_REFUSED_TOPIC_NAME_INVALID
            : MqttConnectReturnCode.CONNECTION_REFUSED_PAYLOAD_FORMAT_INVALID;
    endpoint.reject(code, because(reason().atEnd("the will: " + rejection.detail())));
  }

  /**
   * Lets a client in.
   *
   * @param limits what it is told from MQTT 5 on
   */
  void accept(boolean sessionPresent, MqttProperties limits) {
    if (hasReasons()) {
      endpoint.accept(sessionPresent, limits);
    } else {
      endpoint.accept(sessionPresent);
    }
  }

  static void limit(MqttProperties limits, int property, int value) {
    limits.add(new IntegerProperty(property, value));
  }

  void noSubscription(MqttSubscribeMessage message) {
    int count = message.topicSubscriptions().size();
    if (hasReasons()) {
      endpoint.subscribeAcknowledge(
          message.messageId(),
          Collections.nCopies(count, MqttSubAckReasonCode.NOT_AUTHORIZED),
          because(reason().inAnswer(NO_BROKER, count)));
    } else {
      endpoint.subscribeAcknowledge(
          message.messageId(), Collections.nCopies(count, MqttQoS.FAILURE));
    }
  }

  /** A record is acknowledged: of QoS 1 with a PUBACK, of QoS 2 with a PUBREC. */
  void acknowledge(int packetId, MqttQoS qos) {
    if (qos == MqttQoS.EXACTLY_ONCE) {
      endpoint.publishReceived(packetId);
    } else {
      endpoint.publishAcknowledge(packetId);
    }
  }

  /** Answers a PUBREL. */
  void complete(int packetId) {
    endpoint.publishComplete(packetId);
  }

  /**
   * Whether a message can only be refused by the end of the connection: before 5, and with QoS 2,
   * since vertx-mqtt writes no reason into a PUBREC.
   */
  boolean endsFor(MqttQoS qos) {
    return !hasReasons() || qos == MqttQoS.EXACTLY_ONCE;
  }

  /**
   * Answers a message that was rejected.
   *
   * @return whether the connection goes on
   */
  boolean reject(int packetId, MqttQoS qos, Rejection rejection) {
    MqttPubAckReasonCode code = code(rejection.reason());
    if (endsFor(qos)) {
      end(MqttDisconnectReasonCode.valueOf(code.value()), rejection.detail());
      return false;
    }
    endpoint.publishAcknowledge(packetId, code, because(reason().inAnswer(rejection.detail(), 0)));
    return true;
  }

  private static MqttPubAckReasonCode code(Reason reason) {
    return switch (reason) {
      case TOPIC_NOT_ALLOWED -> MqttPubAckReasonCode.TOPIC_NAME_INVALID;
      case OVER_QUOTA -> MqttPubAckReasonCode.QUOTA_EXCEEDED;
      case UNAVAILABLE -> MqttPubAckReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
      default -> MqttPubAckReasonCode.PAYLOAD_FORMAT_INVALID;
    };
  }

  /**
   * Ends the connection with a reason, where the sender's version has reasons. Packets that were
   * read with the present one are handled first: vertx-mqtt throws where they meet a closed
   * connection.
   */
  void end(MqttDisconnectReasonCode code, String sentence) {
    if (endpoint.isConnected()) {
      Vertx.currentContext().runOnContext(readIsOver -> endNow(code, sentence));
    } else if (!isClosed) {
      isClosed = true; // vertx-mqtt throws at a second time
      endpoint.close(); // it was not let in
    }
  }

  private void endNow(MqttDisconnectReasonCode code, String sentence) {
    if (!endpoint.isConnected()) {
      return;
    }
    if (hasReasons()) {
      endpoint.disconnect(code, because(reason().atEnd(sentence)));
    } else {
      endpoint.close();
    }
  }

  private MqttReason reason() {
    return new MqttReason(endpoint.connectProperties());
  }

  private static MqttProperties because(String sentence) {
    if (sentence.isEmpty()) {
      return MqttProperties.NO_PROPERTIES;
    }
    MqttProperties properties = new MqttProperties();
    properties.add(new StringProperty(MqttProperties.REASON_STRING, sentence));
    return properties;
  }
}
