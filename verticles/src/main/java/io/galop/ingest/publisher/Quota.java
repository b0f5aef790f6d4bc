package io.galop.ingest.publisher;

import java.util.concurrent.atomic.AtomicLong;

/** What a publisher may send in a second, over all its connections to this node. */
final class Quota {
  /** A quota's limits; 0 is none. */
  record Limits(long maxRecordsPerSecond, long maxBytesPerSecond) {
    boolean areNone() {
      return maxRecordsPerSecond == 0 && maxBytesPerSecond == 0;
    }
  }

  private final AtomicLong records;
  private final AtomicLong bytes;

  /** With full buckets. */
  Quota(long now) {
    this.records = new AtomicLong(now);
    this.bytes = new AtomicLong(now);
  }

  /**
   * Takes what a record costs, or nothing.
   *
   * @return nanoseconds to wait until it can be taken; 0 if it has been
   */
  long take(Limits limits, long recordBytes, long now) {
    long ofRecords = TokenBucket.cost(1, limits.maxRecordsPerSecond);
    long ofBytes = TokenBucket.cost(recordBytes, limits.maxBytesPerSecond);
    long wait = TokenBucket.waitNanos(bytes.get(), now, ofBytes);
    if (wait == 0) {
      wait = tryTake(records, now, ofRecords);
    }
    if (wait == 0) {
      charge(bytes, now, ofBytes); // others may have come between: over by what they took at once
    }
    return wait;
  }

  /** What is refused for its form was work too: takes what one record costs, as far as it goes. */
  void charge(Limits limits, long now) {
    charge(records, now, TokenBucket.cost(1, limits.maxRecordsPerSecond));
  }

  /** How long to wait for one record of no bytes. */
  long waitNanos(Limits limits, long now) {
    long ofRecords = TokenBucket.cost(1, limits.maxRecordsPerSecond);
    return Math.max(
        TokenBucket.waitNanos(records.get(), now, ofRecords),
        TokenBucket.waitNanos(bytes.get(), now, limits.maxBytesPerSecond == 0 ? 0 : 1));
  }

  private static long tryTake(AtomicLong bucket, long now, long cost) {
    while (true) {
      long state = bucket.get();
      long wait = TokenBucket.waitNanos(state, now, cost);
      if (wait > 0 || bucket.compareAndSet(state, TokenBucket.take(state, now, cost))) {
        return wait;
      }
    }
  }

  private static void charge(AtomicLong bucket, long now, long cost) {
    if (cost > 0) {
      bucket.accumulateAndGet(cost, (state, more) -> TokenBucket.take(state, now, more));
    }
  }
}
