package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.expression.ExpressionFailure;
import io.galop.expression.RecordFilter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * A condition on records that registrations of an event loop share: asked once for a record, as
 * long as that is among the newest. On that event loop.
 */
final class RecordCondition {
  /** How many answers are remembered, for those who read the ring later: 128 KiB. */
  private static final int REMEMBERED = 1 << 14;

  /** What takes longer by the clock may be a pause of the process rather than its cost. */
  private static final long LONG_NANOS = 10_000_000;

  /** So long after that the time of the processor counts: to read it costs as much as asking. */
  private static final long SUSPECT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final RecordFilter where;
  private final ConditionInput input;
  private final Cost cost;

  /** By the number of the record: one more than that, twice, and one if it passes. */
  private final long[] answers = new long[REMEMBERED];

  private long spentNanos;
  private boolean isSuspect;
  private long suspectSinceNanos;
  private boolean isCostly;

  /** Whom to tell what it costs. */
  interface Cost {
    void spent(RecordCondition condition, long nanos);

    void failed();
  }

  RecordCondition(RecordFilter where, ConditionInput input, Cost cost) {
    this.where = where;
    this.input = input;
    this.cost = cost;
  }

  /**
   * Whether a record is sent. One of which it is neither true nor false is not; words about topics
   * are.
   */
  boolean passes(Entry entry) {
    if (!entry.isRecord()) {
      return true;
    }
    long sequence = entry.sequence();
    if (sequence < 0) {
      return asks(entry);
    }
    int slot = (int) (sequence & REMEMBERED - 1);
    if (answers[slot] >> 1 != sequence + 1) {
      answers[slot] = sequence + 1 << 1 | (asks(entry) ? 1 : 0);
    }
    return (answers[slot] & 1) == 1;
  }

  private boolean asks(Entry entry) {
    if (isCostly) {
      return false;
    }
    long begunNanos = System.nanoTime();
    isSuspect = isSuspect && begunNanos - suspectSinceNanos < SUSPECT_NANOS;
    long begunCpuNanos = isSuspect ? THREADS.getCurrentThreadCpuTime() : 0;
    try {
      return where.matches(input.values(entry));
    } catch (ExpressionFailure | RuntimeException | OutOfMemoryError e) {
      // A viewer's expression must not keep the other viewers from their records.
      cost.failed();
      return false;
    } finally {
      cost.spent(
          this, isSuspect ? THREADS.getCurrentThreadCpuTime() - begunCpuNanos : took(begunNanos));
    }
  }

  private long took(long begunNanos) {
    long nowNanos = System.nanoTime();
    if (nowNanos - begunNanos <= LONG_NANOS) {
      return nowNanos - begunNanos;
    }
    isSuspect = true;
    suspectSinceNanos = nowNanos;
    return LONG_NANOS;
  }

  RecordFilter where() {
    return where;
  }

  /** What it has cost since {@link #forgetSpent}. */
  long spentNanos() {
    return spentNanos;
  }

  void spend(long nanos) {
    spentNanos += nanos;
  }

  void forgetSpent() {
    spentNanos = 0;
  }

  /** It is not asked any more: all who have it are to be told, and lose it. */
  void becomesCostly() {
    isCostly = true;
  }

  boolean isCostly() {
    return isCostly;
  }
}
