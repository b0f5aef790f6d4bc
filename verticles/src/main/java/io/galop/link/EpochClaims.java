package io.galop.link;

import java.util.concurrent.TimeUnit;

/**
 * How far a relay may make owners begin new epochs. It says the newest that it has seen, and an
 * owner that is not beyond it begins a larger one: that is right after a loss in the secure zone,
 * and a weapon in the hands of whoever has taken the relay over. So what it claims beyond what this
 * node has seen of a shard counts once a minute. On one event loop.
 */
final class EpochClaims {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Counted in the upper 32 bits: no shard has begun so many. */
  private static final long MOST = 1L << 56;

  private final long[] seen;
  private final long[] claimed;
  private final long[] claimedNanos;

  EpochClaims(int shards) {
    this.seen = new long[shards];
    this.claimed = new long[shards];
    this.claimedNanos = new long[shards];
  }

  /** An owner has named this epoch. */
  void saw(int shard, long epoch) {
    seen[shard] = Math.max(seen[shard], epoch);
  }

  /** Whether it is no claim: an owner has named such an epoch, or it was believed before. */
  boolean isKnown(int shard, long epoch) {
    return epoch <= Math.max(seen[shard], claimed[shard]);
  }

  /** Whether a claim is to be believed. */
  boolean mayClaim(int shard, long epoch, long nowNanos) {
    if (isKnown(shard, epoch)) {
      return true;
    }
    boolean isFirst = claimed[shard] == 0;
    if (epoch >= MOST || !isFirst && nowNanos - claimedNanos[shard] < PAUSE_NANOS) {
      return false;
    }
    claimed[shard] = epoch;
    claimedNanos[shard] = nowNanos;
    return true;
  }
}
