package io.galop.ingest.publisher;

import java.util.concurrent.TimeUnit;

/**
 * A token bucket that holds what a second allows, as pure functions. Its state is one moment of a
 * monotonic clock in nanoseconds: when all that was taken will have flowed in again. The past means
 * that the bucket is full.
 */
final class TokenBucket {
  private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private TokenBucket() {}

  /** How long it takes until so much has flowed in; 0 where there is no limit. */
  static long cost(long amount, long perSecond) {
    return perSecond == 0 ? 0 : (long) ((double) amount * FULL_NANOS / perSecond);
  }

  /** How long to wait until so much can be taken; 0 if it can be taken now. */
  static long waitNanos(long state, long now, long cost) {
    return Math.max(0, Math.max(0, state - now) + cost - FULL_NANOS);
  }

  /** The state when so much has been taken, or as much of it as is there. */
  static long take(long state, long now, long cost) {
    return now + Math.min(FULL_NANOS, Math.max(0, state - now) + cost);
  }
}
