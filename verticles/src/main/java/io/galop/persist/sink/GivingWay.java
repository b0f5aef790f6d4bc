package io.galop.persist.sink;

import java.util.concurrent.TimeUnit;

/**
 * Distribution has priority over storage: while the event loops are late a store would take from
 * them what they lack, so its batches wait. Only as long as what is not stored is in memory as
 * well: beyond that nobody could ask for it. On the sink's thread.
 */
final class GivingWay {
  /** How long a batch waits at most, for the time that the one before took. */
  private static final int TIMES_THE_WORK = 9;

  private static final long MOST_NS = TimeUnit.SECONDS.toNanos(2);

  private final SinkSetup setup;
  private final SinkState sink;
  private final SinkMetrics metrics;
  private long workNs;
  private long sinceNs;
  private boolean isWaiting;

  GivingWay(SinkSetup setup, SinkState sink, SinkMetrics metrics) {
    this.setup = setup;
    this.sink = sink;
    this.metrics = metrics;
  }

  /** A batch took so long. */
  void onStored(long tookNs) {
    workNs = tookNs;
  }

  /** A batch is ready to be sent. */
  void begin() {
    isWaiting = setup.isLiveLate().getAsBoolean() && isInMemory();
    if (isWaiting) {
      sinceNs = System.nanoTime();
      metrics.gaveWay.increment();
    }
  }

  /** Whether the batch has to wait, still. */
  boolean mustWait() {
    isWaiting =
        isWaiting
            && System.nanoTime() - sinceNs < Math.min(MOST_NS, TIMES_THE_WORK * workNs)
            && setup.isLiveLate().getAsBoolean()
            && isInMemory();
    return isWaiting;
  }

  private boolean isInMemory() {
    return sink.lagBytes() < setup.giveWayBytes();
  }
}
