package io.galop.persist.ownership;

import io.galop.persist.log.RecoveredShard;
import io.galop.persist.log.file.EpochEnd;
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
public final class EpochLog {
  /** Writes the start of an epoch to the Log, as {@code Log.beginEpoch}. */
  public interface Writer {
    /**
     * Logs it.
     *
     * @param last the last durable Position before it
     */
    Future<Void> beginEpoch(int shard, long epoch, Position last);
  }

  private EpochLog() {}

  /**
   * Logs that an epoch begins.
   *
   * @param last what it follows on; {@link Position#none} at the very beginning of a shard
   * @param certain whether nothing may have come in between
   * @param ours whether the Log has the epoch of {@code last} itself
   */
  public static Future<Void> begin(
      Writer log, long epoch, Position last, boolean certain, boolean ours) {
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
  public static Position knownSince(RecoveredShard recovered) {
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
  public static Position learn(RecoveredShard recovered, EpochTable to) {
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
