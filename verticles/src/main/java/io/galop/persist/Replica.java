package io.galop.persist;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.bus.Replicate;
import io.galop.bus.Replicated;
import io.galop.persist.ownership.EpochLog;
import io.galop.persist.ownership.Past;
import io.galop.persist.ownership.SecondCopy;
import io.galop.persist.ownership.ShardState;
import io.galop.persist.ownership.ShardState.Waiting;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The second copy of a shard, while another node owns it: in this node's Log and memory, so that
 * this node can take the shard over with all that was acknowledged. On the shard's event loop.
 */
final class Replica {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  private final Loop loop = Loop.current();
  private final PersistStorage storage;
  private final ShardOwner owner;
  private final int shard;
  private String from = "";
  private long session;
  private long epoch;
  private Position goal;
  private Position end;
  private boolean follows;

  /** The epoch of the copy behind which this process has logged that records are owed; 0: none. */
  private long marked;

  Replica(PersistStorage storage, ShardOwner owner, int shard) {
    this.storage = storage;
    this.owner = owner;
    this.shard = shard;
    this.end = Position.none(shard);
    this.goal = end;
  }

  /**
   * Of the node whose acknowledged records are all here; empty if that is not known of any.
   *
   * @param present ids of the members that this node sees
   */
  Optional<SecondCopy> completeCopy(Set<String> present) {
    boolean isComplete = !from.isEmpty() && follows && end.compareTo(goal) >= 0;
    return isComplete
        ? Optional.of(new SecondCopy(from, !present.contains(from), epoch))
        : Optional.empty();
  }

  /** The newest epoch of which the Log has a copy, or had when it began one; 0 if it has none. */
  long newestEpoch() {
    return end.epoch();
  }

  /** This node owns the shard itself from now on. */
  void end() {
    loop.check();
    from = "";
    session = 0;
  }

  /** Takes the next Batch of a session, or the begin of one. */
  Future<Replicated> onReplicate(Replicate next) {
    loop.check();
    Optional<Refusal> broken = storage.log().refusal().filter(why -> why.why() == Why.LOG_FAILED);
    if (broken.isPresent()) {
      return Future.failedFuture(broken.get());
    }
    ShardState state = owner.state();
    if (!(state instanceof Waiting)) {
      String what = state.getClass().getSimpleName();
      return refuse(Why.NOT_READY, "this node is no second copy: " + what);
    }
    if (next.isBegin()) {
      return begin(next);
    }
    if (next.session() != session) {
      return refuse(Why.NOT_CONTINUOUS, "the session has ended");
    }
    Optional<Refusal> refusal = storage.log().refusal();
    Future<Replicated> kept = refusal.isPresent() ? Future.failedFuture(refusal.get()) : keep(next);
    if (kept.failed()) {
      session = 0;
    }
    return kept;
  }

  private static Future<Replicated> refuse(Why why, String message) {
    return Future.failedFuture(new Refusal(why, message));
  }

  private Future<Replicated> begin(Replicate next) {
    session = next.session();
    epoch = next.batch().epoch();
    from = next.owner();
    goal = next.goal();
    follows = true;
    return owner
        .durability()
        .settled()
        .map(
            settled -> {
              end = owner.durability().last();
              return new Replicated(end);
            });
  }

  private Future<Replicated> keep(Replicate next) {
    follows &= next.follows();
    Batch fresh = after(end, next.batch());
    if (fresh.records().isEmpty()) {
      return owner.durability().newest().map(durable -> new Replicated(end));
    }
    ShardMemory memory = owner.memory();
    if (fresh.epoch() != end.epoch()) {
      Position before = next.follows() ? end : Position.none(shard);
      memory.begin(fresh.epoch(), before);
      EpochLog.begin(storage.log()::beginEpoch, fresh.epoch(), end, next.follows(), true)
          .onFailure(owner::fail);
    }
    markDebt(fresh.epoch());
    Future<Void> appended = storage.log().append(fresh);
    if (appended.failed()) {
      return appended.mapEmpty();
    }
    Position last = fresh.position(fresh.records().size() - 1);
    end = last;
    Future<Void> durable = owner.durability().track(fresh, appended).onFailure(owner::fail);
    remember(memory, fresh);
    return durable.map(done -> new Replicated(last));
  }

  /**
   * The newest records of the Log are another's now: a restart still owes those before them. A
   * process that ended between the begin of the epoch and its mark has left none, so each process
   * makes its own before it keeps the first record.
   */
  private void markDebt(long kept) {
    if (kept != marked && owner.state().past() instanceof Past.Owed owed && owed.isApart()) {
      marked = kept;
      EpochLog.apart(storage.log()::beginEpoch, shard, kept);
    }
  }

  /** What the memory has no room for is in the Log all the same. */
  private void remember(ShardMemory memory, Batch fresh) {
    try {
      memory.restore(fresh, ShardMemory.nowMs());
    } catch (IllegalStateException full) {
      LOG.warn("the copy of shard {} is only in the Log: {}", shard, full.getMessage());
      session = 0;
    }
  }

  /** Without the records that are here already. */
  private static Batch after(Position end, Batch batch) {
    if (batch.epoch() != end.epoch()) {
      return batch.epoch() > end.epoch() ? batch : batch.from(batch.records().size());
    }
    long known = Math.max(0, end.offset() - batch.firstOffset() + 1);
    return batch.from((int) Math.min(known, batch.records().size()));
  }
}
