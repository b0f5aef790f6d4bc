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
 * never one of theirs. That another node may own the shard beside epoch {@code e}, or that {@code
 * e} is a copy and what was placed here before it is owed, is logged as an empty epoch {@code e +
 * 1}, and that an owner has heard of all up to it as {@code e + 3}.
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

  private static final long APART = 1;
  private static final long HEARD = 3;

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

  /** Logs that another node may own the shard beside an epoch, or that one before it is owed. */
  public static Future<Void> apart(Writer log, int shard, long epoch) {
    return log.beginEpoch(shard, epoch + APART, Position.none(shard));
  }

  /** Logs that an owner has heard of what was placed in an epoch and before it. */
  public static Future<Void> heard(Writer log, int shard, long epoch) {
    return log.beginEpoch(shard, epoch + HEARD, Position.none(shard));
  }

  /** What the Log says of whether an owner has heard of all that was placed here. */
  public static Past past(RecoveredShard recovered) {
    List<EpochEnd> newestFirst = recovered.epochs();
    for (int i = 0; i < newestFirst.size(); i++) {
      EpochEnd end = newestFirst.get(i);
      if (isMark(newestFirst, i, APART) && hasRecords(newestFirst, end.epoch() - APART)) {
        return new Past.Owed(end.epoch() - APART, true);
      }
      if (end.lastOffset() > 0 || isMark(newestFirst, i, HEARD)) {
        return Past.REPORTED;
      }
    }
    return Past.REPORTED;
  }

  private static boolean isMark(List<EpochEnd> newestFirst, int at, long mark) {
    EpochEnd end = newestFirst.get(at);
    boolean isOwners = end.epoch() % 2 == 0;
    return !isOwners
        && end.lastOffset() == 0
        && newestFirst.stream().anyMatch(other -> other.epoch() == end.epoch() - mark);
  }

  private static boolean hasRecords(List<EpochEnd> ends, long epoch) {
    return ends.stream().anyMatch(end -> end.epoch() == epoch && end.lastOffset() > 0);
  }

  /** An owner's epoch in which nothing was placed is none, though a mark may follow on it. */
  private static boolean isDoubt(List<EpochEnd> newestFirst, int at) {
    EpochEnd end = newestFirst.get(at);
    return end.epoch() % 2 != 0
        && end.lastOffset() == 0
        && at > 0
        && newestFirst.get(at - 1).epoch() == end.epoch() + 1;
  }

  /**
   * From where on the Log of this node knows of everything in a shard: the start of the newest
   * epoch before which another node may have placed something; none if there is no such epoch.
   */
  public static Position knownSince(RecoveredShard recovered) {
    List<EpochEnd> newestFirst = recovered.epochs();
    for (int i = 1; i < newestFirst.size(); i++) {
      if (isDoubt(newestFirst, i)) {
        return new Position(recovered.shard(), newestFirst.get(i - 1).epoch(), 0);
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
      boolean doubt = isDoubt(newestFirst, i);
      if (!doubt && (isMark(newestFirst, i, APART) || isMark(newestFirst, i, HEARD))) {
        continue;
      }
      if (!doubt) {
        last = new Position(recovered.shard(), end.epoch(), end.lastOffset());
        to.learn(last, follows);
      }
      follows = !doubt;
    }
    return last;
  }
}
