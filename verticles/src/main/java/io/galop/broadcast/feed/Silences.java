package io.galop.broadcast.feed;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The silences of topics that began of late, which somebody may mend. What has been silent for an
 * hour, or for twenty times as long as it may be, has ended: a race that is over comes no more. On
 * the feed loop.
 */
final class Silences {
  private static final long LEAST_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int MOST_TIMES = 20;

  /** So many go at a time; the others go with the next one. */
  static final int MOST_AT_ONCE = 2000;

  private final Map<String, Silence> byTopic = new HashMap<>();

  private final TreeSet<Silence> byBegin =
      new TreeSet<>(Comparator.comparing(Silence::beginNanos).thenComparing(Silence::topic));

  private final TreeSet<Silence> byEnd =
      new TreeSet<>(Comparator.comparing(Silence::endNanos).thenComparing(Silence::topic));

  /**
   * One of them; times are those of {@link System#nanoTime}.
   *
   * @param originNanos when the last record came
   */
  record Silence(String topic, long originNanos, long beginNanos, long endNanos) {
    long ageMs(long nowNanos) {
      return TimeUnit.NANOSECONDS.toMillis(nowNanos - originNanos);
    }
  }

  /** A topic is silent, or its last record is another than it was. */
  void begin(String topic, long originNanos, long maxAgeNanos, long nowNanos) {
    end(topic);
    long most = Math.max(LEAST_NANOS, MOST_TIMES * maxAgeNanos);
    Silence silence =
        new Silence(topic, originNanos, originNanos + maxAgeNanos, originNanos + most);
    if (silence.endNanos > nowNanos) {
      byTopic.put(topic, silence);
      byBegin.add(silence);
      byEnd.add(silence);
    }
  }

  /** A topic is silent no more, or forgotten. */
  void end(String topic) {
    Silence silence = byTopic.remove(topic);
    if (silence != null) {
      byBegin.remove(silence);
      byEnd.remove(silence);
    }
  }

  /** Ends what has lasted for long. To be called often. */
  void tick(long nowNanos) {
    for (int i = 0; i < MOST_AT_ONCE && !byEnd.isEmpty(); i++) {
      Silence first = byEnd.first();
      if (first.endNanos > nowNanos) {
        return;
      }
      end(first.topic);
    }
  }

  int size() {
    return byTopic.size();
  }

  /** Those that began last, the latest first. */
  List<Silence> latest(int most) {
    return byBegin.descendingSet().stream().limit(most).toList();
  }
}
