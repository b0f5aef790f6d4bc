package io.galop.broadcast.hub;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How often the caps of a node let one registration be sent each topic. The registrations of a
 * connection share one table of times for each rate, in which each has places of its own by its
 * filter: so whoever registers the same filter again is not sent its topics sooner. On the Hub's
 * event loop.
 */
final class CapPace {
  /** A topic that is rarely sent must not keep snapshots of the others back for as long. */
  private static final long LONGEST_BETWEEN_SNAPSHOTS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<Caps> caps;
  private final Map<Double, TopicPace> byRate;
  private final int salt;
  private final long betweenSnapshotsNanos;

  /**
   * @param caps those of the node at the moment
   * @param concerned the caps that concern the registration, one of which has a rate
   * @param byRate what the registrations of the connection share
   * @param salt tells the registration from the others
   */
  CapPace(Supplier<Caps> caps, List<Cap> concerned, Map<Double, TopicPace> byRate, int salt) {
    this.caps = caps;
    this.byRate = byRate;
    this.salt = salt;
    double lowest =
        concerned.stream().mapToDouble(Cap::maxRate).filter(rate -> rate > 0).min().orElseThrow();
    betweenSnapshotsNanos =
        Math.min(LONGEST_BETWEEN_SNAPSHOTS_NANOS, TopicPace.intervalNanos(lowest));
  }

  /** Whether no cap keeps a topic back. */
  boolean isFree(String topic) {
    return caps.get().rate(topic) == 0;
  }

  boolean isDue(String topic, long nowNanos) {
    TopicPace pace = pace(topic, nowNanos);
    return pace == null || pace.isDue(key(topic), nowNanos);
  }

  /** See {@link TopicPace#isDueIn}. */
  boolean isDueIn(long begunNanos, String topic, long nowNanos) {
    TopicPace pace = pace(topic, nowNanos);
    return pace == null || pace.isDueIn(begunNanos, key(topic), nowNanos);
  }

  void sent(String topic, long nowNanos) {
    TopicPace pace = pace(topic, nowNanos);
    if (pace != null) {
      pace.sent(key(topic), nowNanos);
    }
  }

  /** Whether a snapshot was sent so long ago that another one may be. */
  boolean maySnapshotAgain(long lastNanos, long nowNanos) {
    return nowNanos - lastNanos >= betweenSnapshotsNanos;
  }

  private @Nullable TopicPace pace(String topic, long nowNanos) {
    Double rate =
        caps.get().rate(topic); // as it is remembered: a topic is looked up for each record
    if (rate == 0) {
      return null;
    }
    TopicPace known = byRate.get(rate);
    TopicPace pace = known != null ? known : new TopicPace(rate, nowNanos);
    if (known == null) {
      byRate.put(rate, pace);
    }
    return pace;
  }

  private int key(String topic) {
    return key(topic, salt);
  }

  static int key(String topic, int salt) {
    return 31 * topic.hashCode() + salt;
  }
}
