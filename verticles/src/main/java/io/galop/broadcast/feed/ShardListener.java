package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Entry;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;

/** What a shard tells its node. */
interface ShardListener {
  /** An owner says that it sends so many records of a shard. */
  void onSent(int shard, long records);

  /** Every one of them is with {@link #onRecords}, or known already. */
  void onTaken(int shard, long records);

  /** So many of them are not shown, since they were loaded before. */
  void onKnown(int shard, long records);

  /** Who is told each record before {@link #onRecords}. */
  Taps taps();

  /**
   * The next records, with those that were shown before; succeeds when every Hub has taken them.
   */
  Future<Void> onRecords(List<Entry> entries);

  /** A record is passed over by whoever was shown it before. */
  void onRepeated();

  /** The latest records up to this Position are there for the first time. */
  void onLoaded(int shard, Position upTo);

  /** Records before this Position are missing; the latest records were loaded again. */
  void onGap(int shard, Position upTo);

  /** What a viewer waits for may be there. */
  void onCovered();

  /** The owner fell silent, or the node has caught up with it again. */
  void onStale(int shard, boolean isStale);
}
