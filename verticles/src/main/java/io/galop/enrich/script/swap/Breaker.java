package io.galop.enrich.script.swap;

import io.galop.config.enrich.BreakerConfig;
import io.galop.retry.Backoff;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Suspends a script that wastes the time of its event loop: after so many hits within a time
 * nothing is handed to it for a back-off time, then one record is tried. A script that is suspended
 * again soon after is so for twice as long. From any thread.
 */
final class Breaker {
  private final BreakerConfig config;
  private final LongSupplier clockMs;
  private final Deque<Long> hitsMs = new ArrayDeque<>();
  private final Backoff backOff;
  private volatile long suspendedUntilMs = Long.MIN_VALUE;
  private boolean onTrial;

  /**
   * A breaker that suspends nothing yet.
   *
   * @param clockMs a clock that never goes back
   */
  Breaker(BreakerConfig config, LongSupplier clockMs) {
    this.config = config;
    this.clockMs = clockMs;
    this.backOff = Backoff.regular(config.backOffMs(), config.maxBackOffMs());
  }

  /** Whether a record is not to be handed to the script now. */
  boolean isSuspended() {
    return suspendedUntilMs != Long.MIN_VALUE && clockMs.getAsLong() < suspendedUntilMs;
  }

  /** For how much longer, in milliseconds; 0 if it is not suspended. */
  long remainingMs() {
    return isSuspended() ? Math.max(0, suspendedUntilMs - clockMs.getAsLong()) : 0;
  }

  /**
   * A call has ended.
   *
   * @param hit whether a limit ended it or it was slow
   * @return whether that has suspended the script
   */
  synchronized boolean onCall(boolean hit) {
    if (!hit) {
      onTrial = false;
      return false;
    }
    long now = clockMs.getAsLong();
    boolean again = onTrial;
    hitsMs.addLast(now);
    while (hitsMs.size() > config.hits() || hitsMs.peekFirst() < now - config.withinMs()) {
      hitsMs.removeFirst();
    }
    if (!again && hitsMs.size() < config.hits()) {
      return false;
    }
    suspend(now);
    return true;
  }

  private void suspend(long now) {
    boolean soonAfter =
        suspendedUntilMs != Long.MIN_VALUE && now - suspendedUntilMs < config.withinMs();
    if (!soonAfter) {
      backOff.reset();
    }
    suspendedUntilMs = now + backOff.nextMs();
    hitsMs.clear();
    onTrial = true;
  }

  /** Another version of the script has its chance at once. */
  synchronized void reset() {
    suspendedUntilMs = Long.MIN_VALUE;
    hitsMs.clear();
    onTrial = false;
  }
}
