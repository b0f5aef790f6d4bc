package io.galop.persist.ownership;

import io.galop.persist.ownership.TakeoverPlan.Before;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a node is to a shard. A state holds all that is true in it; no flag stands beside it.
 * Immutable.
 */
public sealed interface ShardState {
  /** What is known in every state. */
  Known known();

  /** Whether records were placed here of which the next owner has to be told. */
  Past past();

  /** The same state with other knowledge; an owner has always placed what nobody was told of. */
  ShardState with(Known known, Past past);

  /** The same state with other knowledge. */
  default ShardState with(Known known) {
    return with(known, past());
  }

  /** Of a node that has just started. */
  static ShardState initial(Past past) {
    return new Waiting(Known.nothing(), past);
  }

  /** Another node should have the shard, or nobody has been asked yet; nothing is placed here. */
  record Waiting(Known known, Past past) implements ShardState {
    @Override
    public Waiting with(Known now, Past then) {
      return new Waiting(now, then);
    }
  }

  /**
   * Finds out what the others have. Nothing is placed; Batches wait. What comes back from the
   * effects bears the number of the attempt, {@code known().attempt()}.
   */
  sealed interface TakingOver extends ShardState {
    /** Ids of nodes that this attempt asks, and the next one too if this one is given up. */
    Set<String> asked();
  }

  /** A takeover whose seals are sent. */
  sealed interface Sealing extends TakingOver {
    /** How things stood when they were. */
    Before before();

    @Override
    default Set<String> asked() {
      return before().others();
    }
  }

  /** A takeover that goes by what the others have answered. */
  sealed interface Planned extends Sealing {
    /** What the answers mean. */
    TakeoverPlan plan();

    /** The same state with another plan. */
    Planned with(TakeoverPlan then);
  }

  /** Waits until what was placed here is on disk. */
  record Settling(Known known, Past past) implements TakingOver {
    @Override
    public Set<String> asked() {
      return Set.of();
    }

    @Override
    public Settling with(Known now, Past then) {
      return new Settling(now, then);
    }
  }

  /** Asks all others to seal their epoch. {@code known.others} are those that appeared since. */
  record Asking(Known known, Past past, Before before) implements Sealing {
    @Override
    public Asking with(Known now, Past then) {
      return new Asking(now, then, before);
    }
  }

  /** Copies the tail of the node that has more. */
  record Copying(Known known, Past past, Before before, TakeoverPlan plan) implements Planned {
    @Override
    public Copying with(TakeoverPlan then) {
      return new Copying(known, past, before, then);
    }

    @Override
    public Copying with(Known now, Past then) {
      return new Copying(now, then, before, plan);
    }
  }

  /** Somebody who had the shard is not heard: asks the backup tier for what it has. */
  record ReadingBackup(Known known, Past past, Before before, TakeoverPlan plan)
      implements Planned {
    @Override
    public ReadingBackup with(TakeoverPlan then) {
      return new ReadingBackup(known, past, before, then);
    }

    @Override
    public ReadingBackup with(Known now, Past then) {
      return new ReadingBackup(now, then, before, plan);
    }
  }

  /** Learns of what others placed beside what is known here, and of last values. */
  record Merging(Known known, Past past, Before before, TakeoverPlan plan, Taken taken)
      implements Planned {
    @Override
    public Merging with(TakeoverPlan then) {
      return new Merging(known, past, before, then, taken);
    }

    @Override
    public Merging with(Known now, Past then) {
      return new Merging(now, then, before, plan, taken);
    }
  }

  /**
   * Logs the new epoch and tells the others of it. It cannot be given up: {@code deferred} waits
   * until it is done.
   */
  record Beginning(
      Known known,
      Past past,
      Before before,
      long epoch,
      Taken taken,
      TakeoverPlan plan,
      List<ShardEvent> deferred)
      implements Sealing {
    @Override
    public Beginning with(Known now, Past then) {
      return new Beginning(now, then, before, epoch, taken, plan, deferred);
    }
  }

  /**
   * Places records in an epoch that is logged.
   *
   * @param heard who sealed its epoch before this one began, and the largest that it had seen
   * @param isApart whether another node may own the shard too
   */
  record Owning(Known known, long epoch, Map<String, Long> heard, boolean isApart)
      implements ShardState {
    @Override
    public Past past() {
      return new Past.Owed(epoch, isApart);
    }

    Owning apart() {
      return new Owning(known, epoch, heard, true);
    }

    @Override
    public Owning with(Known now, Past then) {
      return new Owning(now, epoch, heard, isApart);
    }
  }

  /** The Log failed; only a restart helps. What is on disk is given to whoever seals. */
  record Failed(Known known, Past past) implements ShardState {
    @Override
    public Failed with(Known now, Past then) {
      return new Failed(now, then);
    }
  }

  /** The node shuts down. */
  record Stopping(Known known, Past past) implements ShardState {
    @Override
    public Stopping with(Known now, Past then) {
      return new Stopping(now, then);
    }
  }
}
