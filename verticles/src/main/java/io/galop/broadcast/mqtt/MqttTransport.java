package io.galop.broadcast.mqtt;

import io.galop.broadcast.packet.PublishPacket;
import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Framing;
import io.galop.broadcast.sockjs.SocketWriter;
import io.galop.broadcast.sockjs.Transport;
import io.galop.socket.MqttReason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes PUBLISH packets. Who wants QoS 0 and nothing of its own gets the bytes that all such
 * clients share. Else each packet is written from the parts of the record that were encoded once:
 * QoS 1 has an id of the connection in the middle. A record of QoS 1 has left when it is
 * acknowledged, so that the outbox bounds what is in flight, too.
 */
final class MqttTransport implements Transport {
  /** How long the last packet may take before the connection is closed all the same. */
  private static final long FAREWELL_MS = 2_000;

  /**
   * How long what the client still sends is read after the last packet. A connection that is closed
   * with bytes unread is reset, and the client may lose what it has not read either.
   */
  private static final long LINGER_MS = 200;

  private final SocketWriter wire;
  private final boolean isFive;
  private final long maxPacketBytes;
  private final MqttReason reason;
  private final ViewerSession session;
  private final QosWindow window;
  private final boolean keepsPlace;
  private final PassedOver passedOver;
  private final Runnable onBeat;
  private @Nullable Receipt receipt;
  private boolean isEnded;

  /** Is told of what clients are not sent, as it would do them harm. */
  interface PassedOver {
    /** It is larger than the client takes. */
    void tooLarge();

    /** Clients end the connection where they read it. */
    void notTaken(PublishPacket packet);
  }

  /**
   * @param keepsPlace whether the client may come back and go on where it was
   * @param onBeat see {@link Transport#onBeat}
   */
  MqttTransport(
      SocketWriter wire,
      MqttGreeting greeting,
      ViewerSession session,
      boolean keepsPlace,
      PassedOver passedOver,
      Runnable onBeat) {
    this.wire = wire;
    this.isFive = greeting.isFive();
    this.maxPacketBytes = greeting.maxPacketBytes();
    this.reason = greeting.reason();
    this.session = session;
    this.window = new QosWindow(greeting.window());
    this.keepsPlace = keepsPlace;
    this.passedOver = passedOver;
    this.onBeat = onBeat;
  }

  @Override
  public boolean write(Frames frames, Receipt told) {
    receipt = told;
    if (isEnded) {
      told.onLeft(frames.size(), frames.records(), false);
      return false;
    }
    boolean isForAll =
        !keepsPlace
            && maxPacketBytes == 0
            && session.isPlain()
            && window.isEmpty()
            && frames.areTaken(isFive);
    return isForAll ? writeShared(frames, told) : writeOwn(frames, told);
  }

  private boolean writeShared(Frames frames, Receipt told) {
    Framing framing = isFive ? Framing.MQTT_5 : Framing.MQTT_3;
    ByteBuf bytes = frames.encoded(framing, wire.allocator());
    ChannelFuture left = bytes.isReadable() ? wire.write(bytes) : null;
    if (left == null) {
      return true;
    }
    int size = frames.size();
    int records = frames.records();
    left.addListener(done -> told.onLeft(size, records, done.isSuccess()));
    return false;
  }

  private boolean writeOwn(Frames frames, Receipt told) {
    ByteBuf out = wire.allocator().directBuffer();
    int size = 0;
    int records = 0;
    for (Frame frame : frames.frames()) {
      if (!isForWindow(frame)) {
        writeNow(out, frame);
        size += frame.size();
        records += frame.records();
      }
    }
    fill(out);
    ChannelFuture left = send(out);
    boolean isAll = size == frames.size();
    if (left != null) {
      int atOnce = size;
      int ofThem = records;
      left.addListener(done -> told.onLeft(atOnce, ofThem, done.isSuccess()));
    } else if (!isAll && size > 0) {
      told.onLeft(size, records, true);
    }
    settle();
    return isAll && left == null;
  }

  private @Nullable ChannelFuture send(ByteBuf out) {
    try {
      return out.isReadable() ? wire.write(out) : null;
    } finally {
      out.release();
    }
  }

  /**
   * Records of QoS 1, and the word that the client has all of them; also what follows them with QoS
   * 0, since a subscription was changed: the client has it when it has what is before.
   */
  private boolean isForWindow(Frame frame) {
    MqttSubscription subscription = subscription(frame);
    if (subscription == null || subscription.qos() == 0 && !subscription.isAwaited()) {
      return false;
    }
    subscription.awaits(1);
    if (frame.isRecord()) {
      int flags = subscription.flags(frame.packet());
      window.add(new QosWindow.Item(frame, subscription, flags, subscription.own()));
    } else {
      subscription.present();
      window.add(new QosWindow.Item(frame, subscription, 0, PublishPacket.NOTHING));
    }
    return true;
  }

  /** Whose a record is, or the word that ends the past; null of other words. */
  private @Nullable MqttSubscription subscription(Frame frame) {
    if (frame.isRecord()) {
      return session.get(frame.address());
    }
    boolean isLive = MqttWord.type(frame).equals(MqttWord.LIVE);
    return isLive ? session.get(MqttWord.address(frame)) : null;
  }

  private void writeNow(ByteBuf out, Frame frame) {
    MqttSubscription subscription = subscription(frame);
    if (frame.isRecord()) {
      if (subscription != null) {
        int flags = subscription.flags(frame.packet());
        write(out, frame.packet(), flags, 0, subscription.own());
        subscription.settled(frame);
      }
      return;
    }
    if (subscription != null) {
      subscription.present();
      subscription.settled(frame);
    } else if (MqttWord.type(frame).equals(MqttWord.RESUMED)) {
      resumed(frame);
    }
    writeWord(out, frame);
  }

  private void resumed(Frame word) {
    MqttSubscription subscription = session.get(MqttWord.address(word));
    if (subscription != null) {
      subscription.resumed(MqttWord.isComplete(word));
    }
  }

  private void writeWord(ByteBuf out, Frame word) {
    String topic = MqttWord.TOPIC + MqttWord.type(word);
    MqttSubscription wanted = session.words(topic);
    if (wanted != null) {
      write(out, PublishPacket.ofWord(topic, word.rest()), 0, 0, wanted.own());
    }
  }

  /**
   * What is larger than the client takes is passed over, as if it was sent (MQTT 5, 3.1.2.11.4);
   * and what would end the connection, since it came again after each reconnect.
   */
  private boolean write(ByteBuf out, PublishPacket packet, int flags, int packetId, byte[] own) {
    if (maxPacketBytes > 0 && packet.size(isFive, flags, own) > maxPacketBytes) {
      passedOver.tooLarge();
      return false;
    }
    if (!packet.isTaken(isFive)) {
      passedOver.notTaken(packet);
      return false;
    }
    packet.write(out, isFive, flags, packetId, own);
    return true;
  }

  /** Writes what may be sent with QoS 1. */
  private void fill(ByteBuf out) {
    for (QosWindow.Item item = window.next(); item != null; item = window.next()) {
      if (!item.frame().isRecord()) {
        writeWord(out, item.frame());
      } else if (!write(out, item.frame().packet(), item.flags(), item.packetId(), item.own())) {
        window.acknowledge(item.packetId());
      }
    }
  }

  /** The client has a record of QoS 1. */
  void acknowledged(int packetId) {
    if (!window.acknowledge(packetId)) {
      return;
    }
    settle();
    if (isEnded) {
      return;
    }
    ByteBuf out = wire.allocator().directBuffer();
    fill(out);
    send(out);
    settle();
  }

  private void settle() {
    for (QosWindow.Item item = window.settled(); item != null; item = window.settled()) {
      item.subscription().settled(item.frame());
      left(item, true);
    }
  }

  private void left(QosWindow.Item item, boolean isSent) {
    item.subscription().awaits(-1);
    if (receipt != null) {
      receipt.onLeft(item.frame().size(), item.frame().records(), isSent);
    }
  }

  /**
   * The connection is no more: what was not acknowledged has not left, and what is written from now
   * on never will. The session is left alone, since it may be another event loop's by then.
   */
  void closed() {
    isEnded = true;
    window.clear(item -> left(item, false));
  }

  @Override
  public boolean isReady() {
    return wire.hasNothingWaiting();
  }

  @Override
  public void onBeat() {
    onBeat.run();
  }

  @Override
  public void limitSocket(int bytes) {
    if (bytes > 0) {
      wire.limitSocket(bytes);
    }
  }

  @Override
  public String address() {
    return String.valueOf(wire.out().channel().remoteAddress());
  }

  @Override
  public String kind() {
    return "mqtt";
  }

  @Override
  public boolean isSockJs() {
    return false;
  }

  @Override
  public void close(Ending why) {
    ByteBuf words = wire.allocator().directBuffer();
    for (Frame word : why.lastWords()) {
      writeWord(words, word);
    }
    end(code(why.reason()), why.reason(), words);
  }

  /** Says why, where the client's version of MQTT can hear it, and ends the connection. */
  void end(int code, String sentence) {
    end(code, sentence, wire.allocator().directBuffer(1));
  }

  private void end(int code, String sentence, ByteBuf before) {
    if (isEnded) {
      before.release();
      return;
    }
    isEnded = true;
    if (isFive) {
      before.writeBytes(MqttReplies.goodbye(code, reason.atEnd(sentence)));
    }
    cutOffIn(FAREWELL_MS);
    wire.pass(before).addListener(said -> cutOffIn(LINGER_MS));
  }

  private void cutOffIn(long delayMs) {
    wire.out().executor().schedule(this::cutOff, delayMs, TimeUnit.MILLISECONDS);
  }

  private void cutOff() {
    wire.out().close();
  }

  private static int code(String reason) {
    return switch (reason) {
      case "shutdown" -> MqttRefused.SHUTTING_DOWN;
      case "slow", "full" -> MqttRefused.QUOTA;
      case "busy" -> MqttRefused.BUSY;
      case "token_expired", "token_revoked", "token_key_gone" -> MqttRefused.NOT_AUTHORIZED;
      default -> MqttRefused.OTHER;
    };
  }
}
