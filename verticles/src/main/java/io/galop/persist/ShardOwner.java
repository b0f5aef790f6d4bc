package io.galop.persist;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.persist.PersistConfig;
import io.galop.config.persist.PersistConfig.Ack;
import io.galop.follow.Followers;
import io.galop.persist.ownership.ShardEvent;
import io.galop.persist.ownership.ShardState;
import io.galop.persist.ownership.ShardState.Failed;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ownership.ShardState.Stopping;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sequences a shard while this node owns it. Lives on one event loop.
 *
 * <p>A Batch is placed in the RAM tier and sent to the followers at once, then logged; it is
 * acknowledged when the Log has it on disk. A failed append is final: what was placed is shown, but
 * neither it nor anything after it is acknowledged by this process.
 */
final class ShardOwner {
  private static final Logger LOG = LoggerFactory.getLogger(ShardOwner.class);

  private final Loop loop = Loop.current();
  private final PersistStorage storage;
  private final PersistMeters meters;
  private final int shard;
  private final Ack ack;
  private final int largestRecord;
  private final Followers followers;
  private final Durability durability;
  private final Replication replication;
  private final HeldBatches early = new HeldBatches();
  private Consumer<Batch> logged = batch -> {};
  private Consumer<Optional<ShardMemory>> owned = memory -> {};
  private Consumer<ShardEvent> events = event -> {};
  private ShardState state;
  private Promise<Void> decided = Promise.promise();
  private ShardMemory memory;
  private long nextOffset;

  /** How many records the Log has confirmed; of what it refuses later, none. */
  private long confirmed;

  /** Of a shard whose memory is filled from this node's Log. */
  ShardOwner(
      PersistConfig config,
      PersistStorage storage,
      PersistMeters meters,
      int shard,
      Durability durability,
      Replication replication,
      Followers followers) {
    this.storage = storage;
    this.meters = meters;
    this.shard = shard;
    this.ack = config.ack();
    this.largestRecord = config.log().largestRecordBytes();
    this.memory = storage.memory(shard);
    this.state = ShardState.initial(storage.past(shard));
    this.decided.complete();
    this.durability = durability;
    this.replication = replication;
    this.followers = followers;
  }

  /** Who decides about the ownership hears of what matters for it. */
  void onEvent(Consumer<ShardEvent> listener) {
    events = listener;
  }

  /**
   * Somebody beside the way of a record listens, on this loop; to be called before the shard is
   * owned.
   *
   * @param onLogged hears of each Batch of an owned shard that is on disk
   * @param onOwned gets the memory of the shard when this node owns it, nothing when it no more
   *     does
   */
  void onLogged(Consumer<Batch> onLogged, Consumer<Optional<ShardMemory>> onOwned) {
    logged = onLogged;
    owned = onOwned;
  }

  /**
   * Another node has seen an epoch of the shard.
   *
   * @return whether this node is beyond it; if not, it begins a larger one
   */
  boolean isBeyond(long other) {
    if (state instanceof Owning && other > epoch()) {
      events.accept(new ShardEvent.SeenNewer(other));
    }
    return other <= epoch();
  }

  private long epoch() {
    return state.known().ownEpoch();
  }

  /** What this node is to the shard. */
  ShardState state() {
    return state;
  }

  Followers followers() {
    return followers;
  }

  Replication replication() {
    return replication;
  }

  /** Lets go of what has been in memory for longer. */
  void dropOlderThan(long maxAgeMs) {
    memory.tail().dropOlderThan(ShardMemory.nowMs() - maxAgeMs);
  }

  ShardMemory memory() {
    return memory;
  }

  /** Up to where records may be handed to another owner or fetched. */
  Position readableUpTo() {
    return state instanceof Owning ? memory.tail().head() : durability.last();
  }

  /**
   * Takes a Batch from the stage before: recognises what came before, places what is new in the RAM
   * tier, shows it, logs it, has it copied and acknowledges it.
   *
   * @return succeeds when it is acknowledged as configured
   */
  Future<Void> onPersist(Batch batch) {
    loop.check();
    if (state instanceof TakingOver && !early.isFull()) {
      return early.hold(batch);
    }
    Optional<Refusal> refusal = refusal(batch.epoch());
    if (refusal.isPresent()) {
      meters.refused().increment();
      return Future.failedFuture(refusal.get());
    }
    List<Record> fresh = recognise(batch.records());
    Future<Void> onDisk = fresh.isEmpty() ? durability.newest() : placeShowAndLog(batch, fresh);
    return acknowledge(onDisk);
  }

  private List<Record> recognise(List<Record> records) {
    List<Record> fresh = memory.takeNew(records);
    if (fresh.size() < records.size()) {
      meters.duplicates().increment(records.size() - fresh.size());
    }
    return fresh;
  }

  private Future<Void> acknowledge(Future<Void> onDisk) {
    if (onDisk.failed()) {
      return onDisk;
    }
    return switch (ack) {
      case MEMORY -> Future.succeededFuture();
      case DISK -> onDisk;
      case REPLICA -> Future.all(onDisk, replication.copied(memory.tail().head())).mapEmpty();
    };
  }

  private Optional<Refusal> refusal(long believedEpoch) {
    Optional<Refusal> notOwning = notOwning();
    if (notOwning.isPresent()) {
      return notOwning;
    }
    if (ack == Ack.REPLICA && replication.refusal().isPresent()) {
      return replication.refusal();
    }
    return believedEpoch == 0 || believedEpoch == epoch()
        ? storage.log().refusal()
        : Optional.of(new Refusal(Why.WRONG_EPOCH, Long.toString(epoch())));
  }

  /** Why this node cannot speak for the shard; empty if it can. */
  Optional<Refusal> notOwning() {
    if (state instanceof Owning) {
      return Optional.empty();
    } else if (state instanceof TakingOver) {
      return refuse(Why.NOT_READY, "shard " + shard + " is being taken over");
    } else if (state instanceof Stopping) {
      return refuse(Why.NOT_READY, "the node is shutting down");
    }
    return state instanceof Failed
        ? refuse(Why.LOG_FAILED, "the Log could not be written")
        : refuse(Why.NOT_OWNER, "another node owns shard " + shard);
  }

  private static Optional<Refusal> refuse(Why why, String message) {
    return Optional.of(new Refusal(why, message));
  }

  private Future<Void> placeShowAndLog(Batch taken, List<Record> fresh) {
    Batch placed = new Batch(shard, epoch(), nextOffset, fresh, taken.stamp());
    int bytes = placed.approximateBytes();
    if (bytes > largestRecord && placed.largestBytes() > largestRecord) {
      memory.forget(fresh);
      return Future.failedFuture(
          new Refusal(
              Why.BAD_REQUEST, "a record takes more than a fifth of persist.log.segmentBytes"));
    }
    nextOffset += fresh.size();
    Position before = memory.tail().head();
    try {
      memory.tail().append(placed, ShardMemory.nowMs());
    } catch (IllegalStateException e) {
      return notAppended(
          fresh, Future.failedFuture(new Refusal(Why.BUSY, String.valueOf(e.getMessage()))));
    }
    meters.records().increment(fresh.size());
    followers.onAppend(before, placed, bytes);
    long minute = meters.minute();
    Future<Void> appended = storage.log().append(placed, minute);
    if (appended.failed()) {
      return notAppended(fresh, appended);
    }
    meters.placed(placed, minute);
    memory.latest().put(placed); // not before: the value that it replaces would be gone for good
    replication.onAppend(before, placed, bytes);
    return durability
        .track(placed, appended)
        .onSuccess(
            done -> {
              meters.logged(placed, minute, onDisk(placed.records().size()));
              followers.onLogged(placed);
              logged.accept(placed);
            })
        .onFailure(this::fail);
  }

  /**
   * Of so many records that the Log has just confirmed, how many its writer has on disk: fewer only
   * if it confirms too early.
   */
  private long onDisk(int more) {
    long before = confirmed;
    confirmed += more;
    return Math.max(0, Math.min(more, storage.log().onDisk(shard) - before));
  }

  /**
   * There was no room after all: what was shown is not kept, and a new epoch tells so. It may be
   * sent again.
   */
  private Future<Void> notAppended(List<Record> fresh, Future<Void> refused) {
    memory.forget(fresh);
    if (storage.log().refusal().filter(why -> why.why() == Why.LOG_FAILED).isPresent()) {
      fail(refused.cause());
    } else {
      events.accept(new ShardEvent.AppendRefused());
      LOG.warn("shard {} begins a new epoch: {}", shard, refused.cause().getMessage());
    }
    return refused;
  }

  /** Takes nothing more until the node is started again. */
  void fail(Throwable failure) {
    loop.check();
    if (!(state instanceof Failed)) {
      LOG.error("shard {} takes nothing more: {}", shard, failure.getMessage());
      events.accept(new ShardEvent.LogFailed());
      storage.onLogFailed();
    }
  }

  /**
   * Enters a state, as the rules decided. Whoever waits hears of it when it is decided who owns the
   * shard, and of the beginning of an epoch with {@link #begin}.
   */
  void enter(ShardState next) {
    loop.check();
    ShardState before = state;
    state = next;
    if (before instanceof Owning && !(next instanceof Owning)) {
      owned.accept(Optional.empty());
    }
    boolean isSame =
        before.getClass() == next.getClass()
            || before instanceof TakingOver && next instanceof TakingOver;
    if (isSame || next instanceof Owning) {
      return;
    }
    replication.end();
    if (next instanceof TakingOver) {
      decided = Promise.promise();
    } else {
      notOwning().ifPresent(early::refuse);
      decided.tryComplete();
    }
  }

  /** What came while it was being found out, in bytes. */
  int heldBytes() {
    return early.bytes();
  }

  /** Completes at once, unless it is being found out whether this node owns the shard. */
  Future<Void> decided() {
    return decided.future();
  }

  /** Owns the shard from now on, in a new epoch that is on disk. */
  void begin(ShardMemory now, long newEpoch, Position before) {
    loop.check();
    memory = now;
    memory.begin(newEpoch, before);
    nextOffset = 1;
    durability.moveTo(memory.tail().head());
    followers.use(memory);
    meters.epochs().increment();
    replication.end();
    decided.tryComplete();
    owned.accept(Optional.of(now));
    if (ack == Ack.REPLICA) {
      replication.begin(memory, this::isBeyond);
    }
    early.release(this::onPersist);
  }

  /** How far the shard is on disk. */
  Durability durability() {
    return durability;
  }
}
