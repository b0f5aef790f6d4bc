package io.galop.broadcast.mqtt;

import io.galop.broadcast.sockjs.SocketWriter;
import io.galop.vertx.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;
import io.netty.handler.codec.mqtt.MqttUnacceptableProtocolVersionException;
import io.netty.handler.codec.mqtt.MqttUnsubscribeMessage;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: what the client says, and the answers. On its event loop.
 *
 * @param <V> what is known of a viewer
 */
final class MqttPeer<V> {
  private static final Logger LOG = LoggerFactory.getLogger(MqttPeer.class);

  /** How long a client may take to say who it is. */
  private static final long GREETING_MS = TimeUnit.SECONDS.toMillis(10);

  private static final String NO_PUBLISH =
      "viewers cannot publish here; publish at the mqtt door, ingest.mqtt";

  private static final String SILENT = "nothing came for one and a half times the keep-alive";
  private static final String UNREAD =
      "answers were not read for one and a half times the keep-alive; read them while you send";

  /** A viewer that was let in, and what it has. */
  private record Guest<G>(
      MqttGreeting greeting, G viewer, String id, Supplier<Future<Void>> giveWay) {}

  private final MqttSocket socket;
  private final SocketWriter wire;
  private final MqttShared<V> shared;
  private final Loop loop = Loop.current();
  private final Promise<Void> ended = Promise.promise();
  private @Nullable Guest<V> guest;
  private @Nullable MqttTransport transport;
  private @Nullable MqttTopics topics;
  private ViewerSession session = new ViewerSession();
  private long keepSeconds;
  private long heardNanos = System.nanoTime();
  private boolean isClosed;

  /** The client does not take an answer, so what it says is not read. */
  private boolean isUnread;

  /** Begins; a client that does not say in time who it is, is cut off. */
  MqttPeer(MqttSocket socket, SocketWriter wire, MqttShared<V> shared) {
    this.socket = socket;
    this.wire = wire;
    this.shared = shared;
    socket.onClosed(this::onClosed);
    shared.later().run(GREETING_MS, this::expectGreeting);
  }

  private void expectGreeting() {
    if (guest == null) {
      cutOff();
    }
  }

  private void cutOff() {
    wire.out().close();
  }

  /** Takes what the client says. */
  void onMessage(Object said) {
    try {
      if (!isClosed && said instanceof MqttMessage message) {
        heardNanos = System.nanoTime();
        onMessage(message);
      }
    } catch (MqttRefused refused) {
      end(refused.code(), String.valueOf(refused.getMessage()));
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("what a client of MQTT said could not be dealt with", fault);
      end(MqttRefused.OTHER, "the node could not deal with what you sent");
    } finally {
      ReferenceCountUtil.release(said);
    }
  }

  private void onMessage(MqttMessage message) throws MqttRefused {
    if (message.decoderResult().isFailure()) {
      throw undecodable(message.decoderResult().cause());
    }
    if (guest == null) {
      if (!(message instanceof MqttConnectMessage connect)) {
        throw new MqttRefused(MqttRefused.PROTOCOL_ERROR, "the first packet must be CONNECT");
      }
      greet(new MqttGreeting(connect, shared.config().mqtt()));
      return;
    }
    MqttTopics known = topics;
    if (known != null) {
      onPacket(known, message);
    }
  }

  private static MqttRefused undecodable(Throwable cause) {
    if (cause instanceof TooLongFrameException) {
      return new MqttRefused(
          MqttRefused.TOO_LARGE, "the packet is larger than broadcast.maxMessageBytes allows");
    }
    return cause instanceof MqttUnacceptableProtocolVersionException
        ? new MqttRefused(MqttRefused.UNSUPPORTED_VERSION, "MQTT 3.1, 3.1.1 and 5 are spoken here")
        : new MqttRefused(MqttRefused.MALFORMED, "what was sent is no MQTT packet");
  }

  private void greet(MqttGreeting greeting) throws MqttRefused {
    try {
      greeting.check();
      V viewer = shared.audience().enter(greeting.token(), socket.site());
      String id = shared.audience().owner(viewer) + '\n' + greeting.clientId();
      Guest<V> entered = new Guest<>(greeting, viewer, id, this::giveWay);
      guest = entered;
      socket.pause();
      shared
          .sessions()
          .enter(id, entered.giveWay())
          .onComplete(free -> loop.run(() -> accept(entered)));
    } catch (MqttRefused refused) {
      shared.refused(greeting.clientId(), refused);
      String why = String.valueOf(refused.getMessage());
      String heard = greeting.reason().atEnd(why);
      ByteBuf answer = MqttReplies.refused(greeting.isFive(), refused.code(), heard);
      isClosed = true;
      wire.pass(answer).addListener(said -> cutOff());
    }
  }

  private void accept(Guest<V> entered) {
    if (isClosed) {
      return;
    }
    MqttGreeting greeting = entered.greeting();
    keepSeconds = greeting.keepSeconds();
    boolean isPresent = false;
    ViewerSession before = shared.sessions().resume(entered.id()).orElse(null);
    if (before != null && !greeting.isClean()) {
      session = before;
      isPresent = true;
    }
    MqttTransport writer =
        new MqttTransport(
            wire, greeting, session, keepSeconds > 0, shared.sessions(), this::onBeat);
    wire.pass(MqttReplies.accepted(greeting, isPresent, shared.config().maxMessageBytes()));
    transport = writer;
    connect(entered, writer);
  }

  private void connect(Guest<V> entered, MqttTransport writer) {
    try {
      MqttTopics registered =
          new MqttTopics(shared.audience().connected(writer, entered.viewer()), session);
      topics = registered;
      registered.resume();
    } catch (MqttRefused gone) {
      keepSeconds = 0; // the next CONNACK says that there is no session: the client subscribes anew
      end(gone.code(), "the session cannot go on: " + gone.getMessage());
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a client of MQTT could not be connected", fault);
      end(MqttRefused.OTHER, "the node could not go on with your session");
    } finally {
      socket.resume();
    }
  }

  private void onPacket(MqttTopics known, MqttMessage message) throws MqttRefused {
    boolean isFive = isFive();
    switch (message.fixedHeader().messageType()) {
      case SUBSCRIBE -> {
        MqttSubscribeMessage subscribe = (MqttSubscribeMessage) message;
        MqttTopics.Granted granted = known.subscribe(subscribe, isFive);
        int id = subscribe.variableHeader().messageId();
        String sentence = heard(granted.sentence(), granted.codes().length);
        answer(MqttReplies.subscribed(isFive, id, granted.codes(), sentence));
        granted.effects().forEach(Runnable::run);
      }
      case UNSUBSCRIBE -> {
        MqttUnsubscribeMessage unsubscribe = (MqttUnsubscribeMessage) message;
        byte[] codes = known.unsubscribe(unsubscribe.payload().topics());
        int id = unsubscribe.variableHeader().messageId();
        answer(MqttReplies.unsubscribed(isFive, id, codes));
      }
      case PUBACK -> acknowledged(message);
      case PUBLISH -> refusePublish((MqttPublishMessage) message);
      case PUBREL -> throw new MqttRefused(MqttRefused.NOT_AUTHORIZED, NO_PUBLISH);
      case PINGREQ -> answer(MqttReplies.pong());
      case DISCONNECT -> goodbye(message);
      default ->
          throw new MqttRefused(
              MqttRefused.PROTOCOL_ERROR,
              "a client may not send " + message.fixedHeader().messageType() + " here");
    }
  }

  private boolean isFive() {
    return guest != null && guest.greeting().isFive();
  }

  private void acknowledged(MqttMessage message) {
    if (transport != null && message.variableHeader() instanceof MqttMessageIdVariableHeader id) {
      transport.acknowledged(id.messageId());
    }
  }

  /** There is no way to tell a client before MQTT 5, or one that sends with QoS 0, but the end. */
  private void refusePublish(MqttPublishMessage message) throws MqttRefused {
    MqttQoS qos = message.fixedHeader().qosLevel();
    if (!isFive() || qos == MqttQoS.AT_MOST_ONCE) {
      throw new MqttRefused(MqttRefused.NOT_AUTHORIZED, NO_PUBLISH);
    }
    boolean isOnce = qos == MqttQoS.EXACTLY_ONCE;
    int type = isOnce ? MqttReplies.PUBREC : MqttReplies.PUBACK;
    String sentence = heard(NO_PUBLISH, 0);
    answer(MqttReplies.notTaken(type, message.variableHeader().packetId(), sentence));
  }

  private String heard(String sentence, int codes) {
    return guest == null ? "" : guest.greeting().reason().inAnswer(sentence, codes);
  }

  private void goodbye(MqttMessage message) {
    if (message.variableHeader() instanceof MqttReasonCodeAndPropertiesVariableHeader said
        && guest != null) {
      keepSeconds = guest.greeting().keepSeconds(said.properties());
    }
    isClosed = true;
    if (transport != null) {
      transport.closed();
    }
    cutOff();
  }

  /** While the client does not take the answer, nothing more is read that wants one. */
  private void answer(ByteBuf packet) {
    var left = wire.pass(packet);
    if (!left.isDone()) {
      isUnread = true;
      socket.pause();
      left.addListener(done -> answered());
    }
  }

  private void answered() {
    isUnread = false;
    socket.resume();
  }

  private void onBeat() {
    long most = guest == null ? 0 : guest.greeting().silenceSeconds();
    if (most > 0 && System.nanoTime() - heardNanos > TimeUnit.SECONDS.toNanos(most)) {
      end(MqttRefused.SILENT, isUnread ? UNREAD : SILENT);
    }
  }

  private void end(int code, String sentence) {
    if (guest != null && !isClosed) {
      shared.refused(guest.greeting().clientId(), new MqttRefused(code, sentence));
    }
    boolean wasClosed = isClosed;
    isClosed = true;
    if (transport != null) {
      transport.end(code, sentence);
    } else if (guest == null && !wasClosed) {
      // In the oldest form, since it is not known which version the client speaks.
      wire.pass(MqttReplies.refused(false, code, sentence)).addListener(said -> cutOff());
    } else {
      cutOff();
    }
  }

  /** The client has come again. From any thread. */
  private Future<Void> giveWay() {
    loop.run(() -> end(MqttRefused.TAKEN_OVER, "the client connected again"));
    return ended.future();
  }

  private void onClosed() {
    isClosed = true;
    Guest<V> gone = guest;
    if (transport != null) {
      transport.closed();
    }
    if (topics != null) {
      topics.closed();
    } else if (gone != null) {
      shared.audience().leave(gone.viewer());
    }
    if (gone != null) {
      long keep = topics == null ? 0 : keepSeconds;
      shared.sessions().leave(gone.id(), gone.giveWay(), session, keep);
    }
    ended.tryComplete();
  }
}
