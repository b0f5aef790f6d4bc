package io.galop.persist.sink;

import io.galop.persist.sink.Stretch.Kept;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The newest record of each topic in an interval of event time, until a record of another interval
 * comes or as much time has passed. What waits here holds the cursor back, so it is read again
 * after a failure. Lives on the sink's thread.
 */
final class LatestRecords {
  /**
   * By the length of their intervals, in nanoseconds, and in the order in which these began here:
   * of one length the first is due first, so nobody need look at those behind it.
   */
  private final Map<Long, Map<String, Waiting>> byLength = new LinkedHashMap<>();

  private final int maxTopics;
  private final long maxBytes;
  private final Consumer<Kept> keep;
  private final Runnable onEarly;
  private int topics;

  private long bytes;

  private record Waiting(Kept kept, long interval, long begunNs) {}

  /**
   * @param keep gets what is to be stored
   * @param onEarly is called when a record is, before its interval is over, to make room
   */
  LatestRecords(int maxTopics, long maxBytes, Consumer<Kept> keep, Runnable onEarly) {
    this.maxTopics = maxTopics;
    this.maxBytes = maxBytes;
    this.keep = keep;
    this.onEarly = onEarly;
  }

  /** Takes a record; those of a topic always have intervals of the same length. */
  void offer(Kept kept, long intervalMs, long nowNs) {
    Map<String, Waiting> byTopic =
        byLength.computeIfAbsent(
            TimeUnit.MILLISECONDS.toNanos(intervalMs), length -> new LinkedHashMap<>());
    String topic = kept.placed().record().topic();
    long timeUs = kept.placed().record().timeUs();
    long interval = Math.floorDiv(timeUs, TimeUnit.MILLISECONDS.toMicros(intervalMs));
    Waiting before = byTopic.get(topic);
    if (before == null || before.interval() != interval) {
      if (before != null) {
        byTopic.remove(topic);
        release(before);
      }
      topics++;
      put(byTopic, new Waiting(kept, interval, nowNs));
    } else if (timeUs < before.kept().placed().record().timeUs()) {
      kept.giveWay();
    } else {
      before.kept().giveWay();
      bytes -= before.kept().bytes();
      put(byTopic, new Waiting(kept, interval, before.begunNs()));
    }
    while (topics > maxTopics || bytes > maxBytes) {
      onEarly.run();
      releaseFirst();
    }
  }

  private void put(Map<String, Waiting> byTopic, Waiting waiting) {
    byTopic.put(waiting.kept().placed().record().topic(), waiting);
    bytes += waiting.kept().bytes();
  }

  /** Lets go of those whose interval is over by the clock; looks at no others but one a length. */
  void expire(long nowNs) {
    byLength.forEach((lengthNs, byTopic) -> expire(byTopic.values(), nowNs - lengthNs));
  }

  private void expire(Collection<Waiting> inOrder, long begunUntilNs) {
    Iterator<Waiting> all = inOrder.iterator();
    while (all.hasNext()) {
      Waiting first = all.next();
      if (begunUntilNs - first.begunNs() < 0) {
        return;
      }
      all.remove();
      release(first);
    }
  }

  /** Lets go of all. */
  void releaseAll() {
    while (!isEmpty()) {
      releaseFirst();
    }
  }

  boolean isEmpty() {
    return topics == 0;
  }

  /** How many records wait. */
  int waiting() {
    return topics;
  }

  /** That which has waited longest. */
  private void releaseFirst() {
    Collection<Waiting> inOrder =
        byLength.values().stream()
            .map(Map::values)
            .filter(each -> !each.isEmpty())
            .min(Comparator.comparingLong(each -> each.iterator().next().begunNs()))
            .orElseThrow();
    Iterator<Waiting> all = inOrder.iterator();
    Waiting first = all.next();
    all.remove();
    release(first);
  }

  private void release(Waiting waiting) {
    topics--;
    bytes -= waiting.kept().bytes();
    keep.accept(waiting.kept());
  }
}
