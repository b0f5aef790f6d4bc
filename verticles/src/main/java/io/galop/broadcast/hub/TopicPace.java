package io.galop.broadcast.hub;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * How often each topic may be sent over one connection, whatever it registers: what its token
 * allows. Topics share a fixed number of places by their hash, so a connection costs 8 KiB at most,
 * and whoever watches more topics than there are places gets some of them less often, none more
 * often. On the Hub's event loop.
 */
public final class TopicPace {
  private static final int PLACES = 1024;

  private final long intervalNanos;
  private final long[] sentNanos = new long[PLACES];

  /**
   * @param maxRate most records of a topic per second, above 0
   */
  TopicPace(double maxRate, long nowNanos) {
    this.intervalNanos = (long) (TimeUnit.SECONDS.toNanos(1) / maxRate);
    Arrays.fill(sentNanos, nowNanos - intervalNanos);
  }

  /** Whether a topic may be sent. */
  boolean isDue(String topic, long nowNanos) {
    return nowNanos - sentNanos[place(topic)] >= intervalNanos;
  }

  /**
   * Whether a topic may be sent in a snapshot, where it comes once: what the snapshot has sent of
   * other topics keeps none back.
   */
  boolean isDueIn(long begunNanos, String topic, long nowNanos) {
    return sentNanos[place(topic)] - begunNanos >= 0 || isDue(topic, nowNanos);
  }

  /** Whether a time is so long ago that another snapshot may be sent. */
  boolean isOver(long sinceNanos, long nowNanos) {
    return nowNanos - sinceNanos >= intervalNanos;
  }

  void sent(String topic, long nowNanos) {
    sentNanos[place(topic)] = nowNanos;
  }

  private static int place(String topic) {
    int hash = topic.hashCode();
    return (hash ^ hash >>> 16) & PLACES - 1;
  }
}
