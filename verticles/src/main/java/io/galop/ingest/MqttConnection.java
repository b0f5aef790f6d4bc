package io.galop.ingest;

import io.galop.config.MqttDoorConfig;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.mqtt.MqttEndpoint;
import io.vertx.mqtt.messages.MqttPublishMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the mqtt door. A message with QoS 1 gets its PUBACK when its record is
 * acknowledged, in the order in which the messages came (MQTT 3.1.1, 4.6). Retain flags and wills
 * are for brokers: they are passed over.
 */
final class MqttConnection {
  private static final Logger LOG = LoggerFactory.getLogger(MqttConnection.class);
  private static final String FULL =
      "the node has as much in flight as it allows; send the record again later";

  /** A message whose sender has not been answered yet. */
  private static final class Message {
    private final Rejections rejections = new Rejections(1);
    private final int id;
    private boolean done;

    Message(int id) {
      this.id = id;
    }
  }

  private final MqttEndpoint endpoint;
  private final MqttAnswers answers;
  private final Intake intake;
  private final MqttDoorConfig config;
  private final DoorMeters meters;
  private final Deque<Message> messages = new ArrayDeque<>();
  private final Promise<Void> ended = Promise.promise();
  private boolean closed;
  private boolean ending;
  private boolean told;

  MqttConnection(MqttEndpoint endpoint, Intake intake, MqttDoorConfig config, DoorMeters meters) {
    this.endpoint = endpoint;
    this.answers = new MqttAnswers(endpoint);
    this.intake = intake;
    this.config = config;
    this.meters = meters;
  }

  /** Begins to take messages; the future succeeds when the connection has ended. */
  Future<Void> open() {
    endpoint.publishAutoAck(false).subscriptionAutoAck(false);
    endpoint.publishHandler(this::publish);
    endpoint.subscribeHandler(answers::noSubscription);
    endpoint.unsubscribeHandler(message -> endpoint.unsubscribeAcknowledge(message.messageId()));
    endpoint.exceptionHandler(failure -> LOG.debug("mqtt connection failed", failure));
    endpoint.closeHandler(gone -> closed());
    answers.accept(config.maxUnacknowledged(), config.maxMessageBytes());
    return ended.future();
  }

  private void closed() {
    closed = true;
    ended.tryComplete();
  }

  private void publish(MqttPublishMessage published) {
    if (closed || ending) {
      return;
    }
    if (published.qosLevel() == MqttQoS.EXACTLY_ONCE) {
      closed = true;
      answers.noQos2();
      return;
    }
    Message message = new Message(published.messageId());
    boolean answered = published.qosLevel() == MqttQoS.AT_LEAST_ONCE;
    if (answered) {
      messages.add(message);
    }
    Submission submission =
        intake.open(meters, message.rejections, done -> settle(message, answered));
    read(published, submission);
    submission.close();
  }

  /**
   * There is no way to stop reading from this connection, so beyond the bound a message is refused:
   * with QoS 0 it is lost, as it may be, with QoS 1 its sender is told as {@link MqttAnswers} can.
   */
  private void read(MqttPublishMessage published, Submission submission) {
    byte[] bytes = published.payload().getBytes();
    if (messages.size() > config.maxUnacknowledged() || intake.inFlight().isFull()) {
      meters.paused();
      submission.reject(new Rejection(1, Reason.UNAVAILABLE, FULL));
    } else if (config.envelope()) {
      intake.reader().readEnvelope(published.topicName(), bytes, 1, submission);
    } else {
      intake.reader().readObject(published.topicName(), bytes, 1, submission);
    }
  }

  private void settle(Message message, boolean answered) {
    message.done = true;
    if (message.rejections.count() > 0) {
      log(message.rejections.listed().get(0));
    }
    while (answered && !messages.isEmpty() && messages.peek().done) {
      answer(messages.poll());
    }
    endIfSettled();
  }

  private void answer(Message message) {
    if (closed || !endpoint.isConnected()) {
      return;
    }
    if (message.rejections.count() == 0) {
      answers.acknowledge(message.id);
    } else if (!answers.reject(message.id, message.rejections.listed().get(0))) {
      closed = true;
    }
  }

  /** Before MQTT 5 the sender is not told what is wrong, so the log has to, once a connection. */
  private void log(Rejection rejection) {
    if (told) {
      LOG.debug("message of {} rejected: {}", endpoint.clientIdentifier(), rejection.detail());
      return;
    }
    told = true;
    LOG.warn(
        "message of mqtt client {} rejected, later ones are logged at debug level: {} {}",
        endpoint.clientIdentifier(),
        rejection.reason().word(),
        rejection.detail());
  }

  /** Takes no more messages; ends the connection when those that came are answered. */
  void end() {
    ending = true;
    endIfSettled();
  }

  private void endIfSettled() {
    if (!ending || !messages.isEmpty() || closed) {
      return;
    }
    closed = true;
    if (endpoint.isConnected()) {
      answers.goodbye();
    } else {
      ended.tryComplete(); // its sender has said goodbye, but keeps the socket
    }
  }
}
