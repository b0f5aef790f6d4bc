package io.galop.ingest.mqtt;

import io.galop.config.ingest.MqttDoorConfig;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.publisher.Visitor;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.mqtt.MqttEndpoint;
import io.vertx.mqtt.messages.MqttDisconnectMessage;
import io.vertx.mqtt.messages.MqttPublishMessage;
import io.vertx.mqtt.messages.codes.MqttDisconnectReasonCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the mqtt door. A message with QoS 1 gets its PUBACK, one with QoS 2 its PUBREC,
 * when its record is acknowledged, in the order in which the messages came (MQTT 3.1.1, 4.6). A
 * sender that cannot be told that a message is refused (before MQTT 5) is answered up to that one
 * and then disconnected: nothing that it sent after it is taken.
 */
final class MqttConnection {
  private static final Logger LOG = LoggerFactory.getLogger(MqttConnection.class);
  private static final String FULL =
      "the node has as much in flight as it allows; send the record again later";
  private static final String TOO_MANY =
      "more messages wait for their acknowledgement than ingest.mqtt.maxUnacknowledged allows";

  /** What the connections of an event loop share. */
  record Shared(
      Intake intake,
      MqttPayload payload,
      MqttSessions sessions,
      MqttDoorConfig config,
      DoorMeters meters,
      MqttRefusals refusals) {}

  /** A message whose sender has not been answered yet. */
  private static final class Message {
    private final int packetId;
    private final MqttQoS qos;
    private Optional<Rejection> rejection = Optional.empty();
    private boolean done;

    Message(MqttPublishMessage published) {
      this.packetId = published.messageId();
      this.qos = published.qosLevel();
    }
  }

  private final MqttEndpoint endpoint;
  private final Visitor visitor;
  private final MqttAnswers answers;
  private final MqttConnect connect;
  private final Shared shared;
  private final Optional<MqttFarewell> will;
  private final Deque<Message> messages = new ArrayDeque<>();
  private final Promise<Void> ended = Promise.promise();
  private MqttSession session = new MqttSession();

  /** Under which {@link MqttSessions} knows it; empty until it is open. */
  private String sessionId = "";

  private long keepSeconds;
  private boolean accepted;

  /** Nothing goes to the client any more. */
  private boolean closed;

  /** Nothing is taken from the client any more. */
  private boolean ending;

  /** The client is to be told no will: it said goodbye, or the node did. */
  private boolean parted;

  /**
   * One that has asked to be let in.
   *
   * @param visitor who it is, made with what is called when it may publish no more
   */
  MqttConnection(
      MqttEndpoint endpoint, Shared shared, Function<Consumer<String>, Visitor> visitor) {
    this.endpoint = endpoint;
    this.visitor = visitor.apply(this::revoked);
    this.answers = new MqttAnswers(endpoint);
    this.connect = new MqttConnect(endpoint, shared.config, answers.hasReasons());
    this.shared = shared;
    this.keepSeconds = connect.keepSeconds();
    this.will =
        MqttFarewell.of(
            endpoint.will(),
            shared.config.onWill(),
            this.visitor.publisher(),
            shared.payload,
            shared.intake,
            shared.meters);
  }

  /** Begins to take messages; the future succeeds when the connection has ended. */
  Future<Void> open() {
    if (!visitor.isKnown()) {
      shared.meters.stranger();
      answers.noToken();
      return Future.succeededFuture();
    }
    Optional<Rejection> badWill = will.flatMap(MqttFarewell::problem);
    if (badWill.isPresent()) {
      tell(badWill.get(), "its connection is refused");
      answers.badWill(badWill.get());
      visitor.leave();
      return Future.succeededFuture();
    }
    sessionId = MqttSessions.id(visitor.publisher(), connect.clientId());
    endpoint.publishAutoAck(false).subscriptionAutoAck(false);
    endpoint.publishHandler(this::publish);
    endpoint.publishReleaseHandler(this::release);
    endpoint.subscribeHandler(answers::noSubscription);
    endpoint.unsubscribeHandler(message -> endpoint.unsubscribeAcknowledge(message.messageId()));
    endpoint.exceptionHandler(this::fail);
    endpoint.disconnectMessageHandler(this::goodbye);
    endpoint.closeHandler(gone -> gone());
    Future<Void> free = shared.sessions.enter(sessionId, this);
    if (free.isComplete()) {
      accept();
    } else {
      free.onComplete(done -> shared.intake.context().runOnContext(now -> accept()));
    }
    return ended.future();
  }

  private void accept() {
    if (closed || ending) {
      return;
    }
    Optional<MqttSession> before =
        shared.sessions.resume(sessionId).filter(known -> !connect.isClean());
    before.ifPresent(known -> session = known);
    accepted = true;
    answers.accept(before.isPresent(), connect.limits());
  }

  /** Nothing can be read of a connection behind a packet that is none. */
  private void fail(Throwable failure) {
    LOG.debug("mqtt connection failed", failure);
    if (failure instanceof TooLongFrameException) {
      Rejection tooLarge = new Rejection(1, Reason.TOO_LARGE, connect.tooLarge());
      shared.meters.rejected(tooLarge);
      tell(tooLarge, "its connection is ended");
      close(MqttDisconnectReasonCode.PACKET_TOO_LARGE, tooLarge.detail());
      return;
    }
    close(MqttDisconnectReasonCode.MALFORMED_PACKET, "what was sent is no MQTT packet");
  }

  private void goodbye(MqttDisconnectMessage message) {
    closed = true;
    parted = message.code() == MqttDisconnectReasonCode.NORMAL;
    keepSeconds = connect.keepSeconds(message.properties());
  }

  /** The socket is closed, by whomever. */
  private void gone() {
    closed = true;
    visitor.leave();
    shared.sessions.leave(sessionId, this, session, accepted ? keepSeconds : 0);
    if (will.isEmpty() || parted || !accepted) {
      ended.tryComplete();
      return;
    }
    will.get()
        .publish()
        .onSuccess(
            refused -> {
              refused.ifPresent(why -> tell(why, "its will is lost"));
              ended.tryComplete();
            });
  }

  /**
   * The client has come again: ends this connection. From any thread.
   *
   * @return succeeds when its will is told
   */
  Future<Void> giveWay() {
    shared
        .intake
        .context()
        .runOnContext(
            now -> {
              ending = true;
              close(MqttDisconnectReasonCode.SESSION_TAKEN_OVER, "the client connected again");
            });
    return ended.future();
  }

  /** It may publish no more, so its will is not published either. */
  private void revoked(String sentence) {
    ending = true;
    parted = true;
    close(MqttDisconnectReasonCode.NOT_AUTHORIZED, sentence);
  }

  private void close(MqttDisconnectReasonCode code, String sentence) {
    if (!closed) {
      closed = true;
      answers.end(code, sentence);
    }
  }

  private void publish(MqttPublishMessage published) {
    if (closed || ending) {
      return;
    }
    Message message = new Message(published);
    if (message.qos == MqttQoS.AT_MOST_ONCE) {
      take(published, message);
      return;
    }
    messages.add(message);
    if (message.qos == MqttQoS.AT_LEAST_ONCE) {
      take(published, message);
    } else {
      takeOnce(published, message);
    }
  }

  /** A message that was taken before is answered as it was, or will be, then. */
  private void takeOnce(MqttPublishMessage published, Message message) {
    long content =
        MqttSession.content(
            published.topicName(), published.isRetain(), published.payload().getBytes());
    Future<Optional<Rejection>> before = session.taken(message.packetId, content);
    if (before == null) {
      session.take(message.packetId, content, take(published, message));
    } else if (isOverBound()) {
      ending = true;
      settle(message, Optional.of(new Rejection(1, Reason.UNAVAILABLE, TOO_MANY)));
    } else if (before.isComplete()) {
      settle(message, before.result());
    } else {
      before.onSuccess(
          outcome -> shared.intake.context().runOnContext(now -> settle(message, outcome)));
    }
  }

  private void release(int packetId) {
    session.release(packetId);
    if (!closed) {
      answers.complete(packetId);
    }
  }

  private Future<Optional<Rejection>> take(MqttPublishMessage published, Message message) {
    Promise<Optional<Rejection>> outcome = Promise.promise();
    Rejections rejections = new Rejections(1);
    Submission submission =
        shared.intake.open(
            visitor,
            shared.meters,
            rejections,
            done -> {
              Optional<Rejection> rejection = rejections.listed().stream().findFirst();
              outcome.complete(rejection);
              settle(message, rejection);
            });
    if (shared.intake.isTracing()) {
      MqttPayload.traceparent(published.properties()).ifPresent(submission::traceparent);
    }
    read(published, submission);
    if (rejections.count() > 0 && endsFor(message)) {
      ending = true;
    }
    submission.close();
    return outcome.future();
  }

  /**
   * There is no way to stop reading from this connection, so beyond the bound a message is refused:
   * with QoS 0 it is lost, as it may be, else its sender is told as {@link MqttAnswers} can.
   */
  private void read(MqttPublishMessage published, Submission submission) {
    if (isOverBound()) {
      ending = true;
      submission.reject(new Rejection(1, Reason.UNAVAILABLE, TOO_MANY));
    } else if (shared.intake.inFlight().isFull(visitor)) {
      shared.meters.paused();
      visitor.throttled();
      submission.reject(full());
    } else {
      shared.payload.read(
          published.topicName(), published.payload().getBytes(), published.isRetain(), submission);
    }
  }

  private Rejection full() {
    return visitor.isFull()
        ? new Rejection(1, Reason.OVER_QUOTA, visitor.full())
        : new Rejection(1, Reason.UNAVAILABLE, FULL);
  }

  /** Whether a message is too much; what is unreleased of QoS 2 counts as well (MQTT 5, 4.9). */
  private boolean isOverBound() {
    int most = shared.config.maxUnacknowledged();
    return messages.size() > most || session.size() > most;
  }

  private void settle(Message message, Optional<Rejection> rejection) {
    message.done = true;
    message.rejection = rejection;
    rejection.ifPresent(why -> tell(why, consequence(message)));
    if (message.qos != MqttQoS.AT_MOST_ONCE) {
      while (!messages.isEmpty() && messages.peek().done) {
        answer(messages.poll());
      }
    }
    endIfSettled();
  }

  private String consequence(Message message) {
    if (message.qos == MqttQoS.AT_MOST_ONCE) {
      return "the message of QoS 0 is lost";
    }
    return endsFor(message) ? "its connection is ended" : "its sender is told";
  }

  private boolean endsFor(Message message) {
    return message.qos != MqttQoS.AT_MOST_ONCE && answers.endsFor(message.qos);
  }

  private void tell(Rejection rejection, String what) {
    shared.refusals.tell(connect.clientId(), rejection, what);
  }

  private void answer(Message message) {
    if (closed || !endpoint.isConnected()) {
      return;
    }
    if (message.rejection.isEmpty()) {
      answers.acknowledge(message.packetId, message.qos);
    } else if (!answers.reject(message.packetId, message.qos, message.rejection.get())) {
      closed = true;
    }
  }

  /** Takes no more messages; ends the connection when those that came are answered. */
  void end() {
    ending = true;
    parted = true;
    if (closed) {
      ended.tryComplete(); // it ends without the door, however long its socket takes
    }
    endIfSettled();
  }

  private void endIfSettled() {
    if (!ending || !messages.isEmpty()) {
      return;
    }
    if (parted) {
      close(MqttDisconnectReasonCode.SERVER_SHUTTING_DOWN, "the node is shutting down");
    } else {
      close(MqttDisconnectReasonCode.RECEIVE_MAXIMUM_EXCEEDED, TOO_MANY);
    }
  }
}
