package io.galop.broadcast.mqtt;

import io.galop.broadcast.packet.PublishPacket;
import io.galop.broadcast.sockjs.Frame;
import io.galop.record.Position;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One filter of one client: how it wants its records, and up to where it has them. The Positions
 * are all that is kept of what it was sent. Changed by one event loop at a time.
 */
final class MqttSubscription {
  private static final int SUBSCRIPTION_ID = 0x0b;
  private static final byte[] INCOMPLETE = PublishPacket.userProperty("resumed", "incomplete");

  /**
   * What a SUBSCRIBE says of a filter.
   *
   * @param qos 0 or 1
   * @param asPublished whether RETAIN says that the record is kept as the last value, as all are
   * @param id the subscription's; 0: none
   */
  record Options(int qos, boolean asPublished, int id) {}

  private Options options;
  private byte[] own;
  private final Map<String, String> wishes;
  private final Map<Integer, Position> reached = new HashMap<>();
  private boolean isLive;
  private boolean isMissed;
  private boolean isTold = true;
  private int awaited;

  /**
   * @param wishes headers of its registration, to be said again when it comes back
   */
  MqttSubscription(Options options, Map<String, String> wishes) {
    this.options = options;
    this.wishes = Map.copyOf(wishes);
    this.own = own(options);
  }

  Map<String, String> wishes() {
    return wishes;
  }

  private static byte[] own(Options options) {
    if (options.id() == 0) {
      return PublishPacket.NOTHING;
    }
    ByteBuf property = Unpooled.buffer(8).writeByte(SUBSCRIPTION_ID);
    PublishPacket.writeVarint(property, options.id());
    byte[] bytes = new byte[property.readableBytes()];
    property.readBytes(bytes);
    return bytes;
  }

  void change(Options next) {
    options = next;
    own = own(next);
  }

  int qos() {
    return options.qos();
  }

  /** So many more frames of it, or fewer, wait in a window. */
  void awaits(int frames) {
    awaited += frames;
  }

  /** Whether the client has yet to acknowledge something of it. */
  boolean isAwaited() {
    return awaited > 0;
  }

  /** How many Positions are kept, and itself. */
  int weight() {
    return 1 + reached.size();
  }

  /** Whether its records are the same bytes as everybody's of QoS 0. */
  boolean isPlain() {
    return options.qos() == 0 && !options.asPublished() && options.id() == 0 && isTold;
  }

  /** The flags of a record's PUBLISH: what was missed is new, what a snapshot shows is not. */
  int flags(PublishPacket packet) {
    boolean isRetained = packet.isPast() && !isMissed;
    return PublishPacket.flags(options.qos(), isRetained || options.asPublished());
  }

  /** The client's own properties of the next PUBLISH; the first after a gap says so. */
  byte[] own() {
    if (isTold) {
      return own;
    }
    isTold = true;
    return Unpooled.wrappedBuffer(own, INCOMPLETE).copy().array();
  }

  /** What follows is all that was missed, or else a snapshot. */
  void resumed(boolean isComplete) {
    isMissed = isComplete;
    if (!isComplete) {
      isLive = false;
      isTold = false;
    }
  }

  /** The records from before the present are over. */
  void present() {
    isMissed = false;
  }

  /**
   * The client has a record, or the word that it has all up to some Positions. A record from before
   * the present says nothing of those before it: of a snapshot that is shown again it may be newer
   * than what has yet to come. After a gap, or a resume that was not complete, the client is where
   * the word says, even if it was further before.
   */
  void settled(Frame frame) {
    if (!frame.isRecord()) {
      MqttWord.positions(frame).forEach(isLive ? this::reach : at -> reached.put(at.shard(), at));
      isLive = true;
    } else if (!frame.packet().isPast()) {
      reach(frame.position());
    }
  }

  private void reach(Position position) {
    reached.merge(position.shard(), position, (a, b) -> a.compareTo(b) >= 0 ? a : b);
  }

  /** From where to go on; empty: nobody knows. */
  Optional<String> since() {
    return isLive && !reached.isEmpty()
        ? Optional.of(
            reached.values().stream().map(Position::toString).collect(Collectors.joining(",")))
        : Optional.empty();
  }
}
