package io.galop.broadcast;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The newest value of each topic that waits for one registration, and when the topic may be sent
 * again. Bounded by the number of topics.
 */
final class Newest {
  private final long intervalNanos;
  private final Map<String, Entry> waiting = new LinkedHashMap<>();
  private final Map<String, Long> sentNanos = new HashMap<>();
  private long forgotNanos;

  /**
   * @param maxRate most messages per second and topic; 0 is unlimited
   */
  Newest(double maxRate) {
    this.intervalNanos = maxRate <= 0 ? 0 : (long) (1e9 / maxRate);
  }

  /** Lets a record wait; returns whether an older one of its topic gives way to it. */
  boolean put(Entry entry) {
    return waiting.put(entry.topic(), entry) != null;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  /** Forgets what waits of a shard. */
  void drop(int shard) {
    waiting.values().removeIf(entry -> entry.shard() == shard);
  }

  /** Whether a record may be sent at once: nothing of its topic waits, and the rate allows it. */
  boolean mayPass(Entry entry, long nowNanos) {
    return (waiting.isEmpty() || !waiting.containsKey(entry.topic()))
        && isDue(entry.topic(), nowNanos);
  }

  private boolean isDue(String topic, long nowNanos) {
    Long sent = intervalNanos == 0 ? null : sentNanos.get(topic);
    return sent == null || nowNanos - sent >= intervalNanos;
  }

  /** Counts a topic as sent. */
  void sent(String topic, long nowNanos) {
    if (intervalNanos > 0) {
      sentNanos.put(topic, nowNanos);
    }
  }

  /** Hands over what is due, while there is room; the topic that has waited longest comes first. */
  void drain(BooleanSupplier hasRoom, Consumer<Entry> writer, long nowNanos) {
    forgetOld(nowNanos);
    Iterator<Entry> entries = waiting.values().iterator();
    while (hasRoom.getAsBoolean() && entries.hasNext()) {
      Entry entry = entries.next();
      if (isDue(entry.topic(), nowNanos)) {
        entries.remove();
        sent(entry.topic(), nowNanos);
        writer.accept(entry);
      }
    }
  }

  private void forgetOld(long nowNanos) {
    if (intervalNanos > 0 && nowNanos - forgotNanos > intervalNanos) {
      forgotNanos = nowNanos;
      sentNanos.values().removeIf(sent -> nowNanos - sent >= intervalNanos);
    }
  }
}
