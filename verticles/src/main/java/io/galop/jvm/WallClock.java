package io.galop.jvm;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What time it is, and how long something lasts: the system's clock may be set, by hours, while
 * something lasts. One thread at a time.
 */
public final class WallClock {
  private final LongSupplier wallMs;
  private final LongSupplier runMs;
  private long aheadMs;

  /** That of the system. */
  public WallClock() {
    this(System::currentTimeMillis, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }

  /**
   * That of a test.
   *
   * @param wallMs what time it is, milliseconds since 1970; may be set
   * @param runMs for how long something has run; only ever goes on
   */
  public WallClock(LongSupplier wallMs, LongSupplier runMs) {
    long beganMs = wallMs.getAsLong() - runMs.getAsLong();
    this.wallMs = wallMs;
    this.runMs = () -> beganMs + runMs.getAsLong();
  }

  /** What time it is, milliseconds since 1970. */
  public long nowMs() {
    long nowMs = wallMs.getAsLong();
    aheadMs = nowMs - runMs.getAsLong();
    return nowMs;
  }

  /**
   * The moment {@link #nowMs} has returned, as if nobody had ever set the clock: two of these are
   * as far from each other as they were in truth.
   */
  public long steadyMs(long nowMs) {
    return nowMs - aheadMs;
  }
}
