package io.galop.persist.sink;

import io.galop.persist.sink.Stretch.Kept;
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
  /** In the order in which their intervals began here. */
  private final Map<String, Waiting> byTopic = new LinkedHashMap<>();

  private final int maxTopics;
  private final long maxBytes;
  private final Consumer<Kept> keep;
  private long bytes;

  private record Waiting(Kept kept, long interval, long dueNs) {}

  LatestRecords(int maxTopics, long maxBytes, Consumer<Kept> keep) {
    this.maxTopics = maxTopics;
    this.maxBytes = maxBytes;
    this.keep = keep;
  }

  void offer(Kept kept, long intervalMs, long nowNs) {
    String topic = kept.placed().record().topic();
    long timeUs = kept.placed().record().timeUs();
    long interval = Math.floorDiv(timeUs, TimeUnit.MILLISECONDS.toMicros(intervalMs));
    Waiting before = byTopic.get(topic);
    if (before == null || before.interval() != interval) {
      if (before != null) {
        byTopic.remove(topic);
        release(before);
      }
      put(topic, new Waiting(kept, interval, nowNs + TimeUnit.MILLISECONDS.toNanos(intervalMs)));
    } else if (timeUs < before.kept().placed().record().timeUs()) {
      kept.from().settle();
    } else {
      before.kept().from().settle();
      bytes -= before.kept().bytes();
      put(topic, new Waiting(kept, interval, before.dueNs()));
    }
    while (byTopic.size() > maxTopics || bytes > maxBytes) {
      releaseFirst();
    }
  }

  private void put(String topic, Waiting waiting) {
    byTopic.put(topic, waiting);
    bytes += waiting.kept().bytes();
  }

  void expire(long nowNs) {
    Iterator<Waiting> all = byTopic.values().iterator();
    while (all.hasNext()) {
      Waiting waiting = all.next();
      if (nowNs - waiting.dueNs() >= 0) {
        all.remove();
        release(waiting);
      }
    }
  }

  boolean isEmpty() {
    return byTopic.isEmpty();
  }

  private void releaseFirst() {
    Iterator<Waiting> all = byTopic.values().iterator();
    Waiting first = all.next();
    all.remove();
    release(first);
  }

  private void release(Waiting waiting) {
    bytes -= waiting.kept().bytes();
    keep.accept(waiting.kept());
  }
}
