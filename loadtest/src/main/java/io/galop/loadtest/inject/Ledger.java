package io.galop.loadtest.inject;

import io.galop.loadtest.latency.Latencies;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one connection has sent and what was acknowledged of it, in the order of sending. One thread
 * sends, another hears the acknowledgements.
 */
final class Ledger {
  /** So many may be under way; whoever sends more waits. */
  private static final int MOST_UNDER_WAY = 1 << 19;

  private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final long[] dues = new long[MOST_UNDER_WAY];
  private final int most;
  private Histogram latencies = Latencies.histogram();
  private volatile long sent;
  private volatile long acked;
  private volatile long refused;
  private volatile @Nullable String failure;

  Ledger() {
    this(MOST_UNDER_WAY);
  }

  /**
   * @param most how many may be under way
   */
  Ledger(int most) {
    this.most = Math.min(most, MOST_UNDER_WAY);
  }

  /** Before a record is sent; waits while too many are under way. */
  void onSend(long dueNanos) {
    while (sent - acked >= most && failure == null) {
      LockSupport.parkNanos(WAIT_NANOS);
    }
    dues[(int) (sent % MOST_UNDER_WAY)] = dueNanos;
    sent++;
  }

  /** How many more may be sent without waiting. */
  int room() {
    return (int) (most - (sent - acked));
  }

  /** So many of all records sent are acknowledged. */
  void onAcked(long upTo) {
    long now = System.nanoTime();
    synchronized (this) {
      for (long i = acked; i < upTo; i++) {
        Latencies.record(latencies, now - dues[(int) (i % MOST_UNDER_WAY)]);
      }
    }
    acked = upTo;
  }

  /** Some of those acknowledged were rejected. */
  void onRefused(long count) {
    refused += count;
  }

  void onFailure(String why) {
    if (failure == null) {
      failure = why;
    }
  }

  /** From due to acknowledged, since this was asked last. */
  synchronized Histogram takeLatencies() {
    Histogram taken = latencies;
    latencies = Latencies.histogram();
    return taken;
  }

  long sent() {
    return sent;
  }

  long acked() {
    return acked;
  }

  long refused() {
    return refused;
  }

  /** Why the connection is of no use any more; null if it is. */
  @Nullable String failure() {
    return failure;
  }
}
