package io.galop.persist;

import io.galop.persist.log.EpochEnd;
import io.galop.persist.log.Log;
import io.galop.persist.log.RecoveredShard;
import io.galop.persist.ram.EpochTable;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;

/**
 * Writes and reads a shard's epochs in the Log, and with them whether one follows on the one before
 * without a gap. The Log knows only numbers and ends, so doubt about what came before epoch {@code
 * e} is logged as an empty epoch {@code e - 1}; epochs of owners are even, so {@code e - 1} is
 * never one of theirs.
 */
final class EpochLog {
  /** Below them are the bits of the node that began the epoch; see {@code Member.epochTag}. */
  private static final int TAG_BITS = 32;

  private EpochLog() {}

  /**
   * The number of a new epoch: larger than any that is known, and no other node's. Old ones are
   * milliseconds since 1970, and are grown out of.
   *
   * @param tag of the node that begins it
   */
  static long next(long newestKnown, long tag) {
    return Math.addExact(Math.multiplyExact((newestKnown >>> TAG_BITS) + 1, 1L << TAG_BITS), tag);
  }

  /**
   * Logs that an epoch begins.
   *
   * @param last what it follows on; {@link Position#none} at the very beginning of a shard
   * @param certain whether nothing may have come in between
   * @param ours whether the Log has the epoch of {@code last} itself
   */
  static Future<Void> begin(Log log, long epoch, Position last, boolean certain, boolean ours) {
    Future<Void> before = Future.succeededFuture();
    if (!last.isNone() && (!certain || !ours)) {
      long doubtful = certain ? last.epoch() : epoch;
      before = log.beginEpoch(last.shard(), doubtful - 1, Position.none(last.shard()));
    }
    return Future.all(before, log.beginEpoch(last.shard(), epoch, last)).mapEmpty();
  }

  /**
   * From where on the Log of this node knows of everything in a shard: the start of the newest
   * epoch before which another node may have placed something; none if there is no such epoch.
   */
  static Position knownSince(RecoveredShard recovered) {
    List<EpochEnd> newestFirst = recovered.epochs();
    for (int i = 1; i < newestFirst.size(); i++) {
      long epoch = newestFirst.get(i - 1).epoch();
      EpochEnd before = newestFirst.get(i);
      if (before.lastOffset() == 0 && before.epoch() == epoch - 1) {
        return new Position(recovered.shard(), epoch, 0);
      }
    }
    return Position.none(recovered.shard());
  }

  /**
   * Learns what the Log recovered.
   *
   * @return the last durable Position, which is 0 in an epoch without a record
   */
  static Position learn(RecoveredShard recovered, EpochTable to) {
    List<EpochEnd> newestFirst = recovered.epochs();
    Position last = Position.none(recovered.shard());
    boolean follows = false;
    for (int i = newestFirst.size() - 1; i >= 0; i--) {
      EpochEnd end = newestFirst.get(i);
      boolean doubt =
          end.lastOffset() == 0 && i > 0 && newestFirst.get(i - 1).epoch() == end.epoch() + 1;
      if (!doubt) {
        last = new Position(recovered.shard(), end.epoch(), end.lastOffset());
        to.learn(last, follows);
      }
      follows = !doubt;
    }
    return last;
  }
}
