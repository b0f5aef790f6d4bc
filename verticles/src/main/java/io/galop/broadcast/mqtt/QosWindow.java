package io.galop.broadcast.mqtt;

import io.galop.broadcast.packet.PublishPacket;
import io.galop.broadcast.sockjs.Frame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one client is sent with QoS 1, in order: sent and not acknowledged, at most as many as the
 * client takes, and what waits for that. How much waits is bounded by who adds: the outbox of the
 * connection has room only when some of it is acknowledged. A pure state.
 */
final class QosWindow {
  private static final int PACKET_IDS = 65_535;
  private static final int QOS_1 = PublishPacket.flags(1, false);

  /** One record, or a word that must not overtake the records before it. */
  static final class Item {
    private final Frame frame;
    private final MqttSubscription subscription;
    private final int flags;
    private final byte[] own;
    private int packetId;
    private boolean isDone;

    /**
     * @param flags of the PUBLISH
     * @param own the client's own properties
     */
    Item(Frame frame, MqttSubscription subscription, int flags, byte[] own) {
      this.frame = frame;
      this.subscription = subscription;
      this.flags = flags;
      this.own = own;
    }

    Frame frame() {
      return frame;
    }

    /** Whether the client acknowledges it: not a word, nor a record of QoS 0 behind others. */
    private boolean isAcknowledged() {
      return frame.isRecord() && (flags & QOS_1) != 0;
    }

    MqttSubscription subscription() {
      return subscription;
    }

    int flags() {
      return flags;
    }

    byte[] own() {
      return own;
    }

    /** 0 of what is not acknowledged. */
    int packetId() {
      return packetId;
    }
  }

  private final int most;
  private final Deque<Item> sent = new ArrayDeque<>();
  private final Deque<Item> waiting = new ArrayDeque<>();
  private int unacknowledged;
  private int lastId;

  /**
   * @param most how many may be unacknowledged, from 1 to 65,535
   */
  QosWindow(int most) {
    this.most = most;
  }

  void add(Item item) {
    waiting.add(item);
  }

  /** The next that is to be sent now; null if none is, or none may. */
  @Nullable Item next() {
    Item first = waiting.peek();
    if (first == null || first.isAcknowledged() && isFull()) {
      return null;
    }
    waiting.remove();
    sent.add(first);
    if (first.isAcknowledged()) {
      lastId = lastId % PACKET_IDS + 1;
      first.packetId = lastId;
      unacknowledged++;
    } else {
      first.isDone = true;
    }
    return first;
  }

  /** What was acknowledged out of order keeps its id until those before it are. */
  private boolean isFull() {
    return unacknowledged >= most || sent.size() >= PACKET_IDS;
  }

  /** The client has a record; false if none waits for that. */
  boolean acknowledge(int packetId) {
    for (Item item : sent) {
      if (item.packetId == packetId && !item.isDone) {
        item.isDone = true;
        unacknowledged--;
        return true;
      }
    }
    return false;
  }

  /** The first that the client has, behind nothing that it has not; it is forgotten. */
  @Nullable Item settled() {
    Item first = sent.peek();
    return first != null && first.isDone ? sent.poll() : null;
  }

  boolean isEmpty() {
    return sent.isEmpty() && waiting.isEmpty();
  }

  /** How many are sent and not acknowledged. */
  int unacknowledged() {
    return unacknowledged;
  }

  /** Forgets all. */
  void clear(Consumer<Item> each) {
    sent.forEach(each);
    waiting.forEach(each);
    sent.clear();
    waiting.clear();
    unacknowledged = 0;
  }
}
