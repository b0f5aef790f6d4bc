package io.galop.broadcast.hub;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * How often each topic may be sent over one connection: what its token allows, whatever it
 * registers, or a cap of the node for each registration. Topics share a fixed number of places by
 * their hash, so a connection costs 8 KiB at most, and whoever watches more topics than there are
 * places gets some of them less often, none more often. On the Hub's event loop.
 */
public final class TopicPace {
  private static final int PLACES = 1024;

  private final long intervalNanos;
  private final long[] sentNanos = new long[PLACES];

  /**
   * @param maxRate most records of a topic per second, above 0
   */
  TopicPace(double maxRate, long nowNanos) {
    this.intervalNanos = intervalNanos(maxRate);
    Arrays.fill(sentNanos, nowNanos - intervalNanos);
  }

  static long intervalNanos(double maxRate) {
    return (long) (TimeUnit.SECONDS.toNanos(1) / maxRate);
  }

  /**
   * Whether a topic may be sent.
   *
   * @param topic its hash
   */
  boolean isDue(int topic, long nowNanos) {
    return nowNanos - sentNanos[place(topic)] >= intervalNanos;
  }

  /**
   * Whether a topic may be sent in a snapshot, where it comes once: what the snapshot has sent of
   * other topics keeps none back.
   */
  boolean isDueIn(long begunNanos, int topic, long nowNanos) {
    return sentNanos[place(topic)] - begunNanos >= 0 || isDue(topic, nowNanos);
  }

  /** Whether a time is so long ago that another snapshot may be sent. */
  boolean isOver(long sinceNanos, long nowNanos) {
    return nowNanos - sinceNanos >= intervalNanos;
  }

  void sent(int topic, long nowNanos) {
    sentNanos[place(topic)] = nowNanos;
  }

  static int place(int hash) {
    return (hash ^ hash >>> 16) & PLACES - 1;
  }
}
