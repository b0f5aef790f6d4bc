package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.bus.Owners.Owner;
import io.galop.cluster.Cluster;
import io.galop.config.ClusterConfig;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;

/**
 * The way of a Batch to the owner of its shard at the next stage: at least once, with a deadline.
 * The reply is the acknowledgement, so it travels back to the door through the same requests.
 */
public final class ShardLane {
  private final Vertx vertx;
  private final Replies replies;
  private final Cluster cluster;
  private final Owners owners;
  private final Role role;
  private final Lane lane;
  private final long deadlineMs;
  private final DeliveryOptions attempt;
  private final AtomicLongArray epochs;

  static ShardLane enrich(Vertx vertx, Replies replies, Cluster cluster, ClusterConfig config) {
    return new ShardLane(vertx, replies, cluster, Role.ENRICH, Lane.ENRICH, config);
  }

  static ShardLane persist(Vertx vertx, Replies replies, Cluster cluster, ClusterConfig config) {
    return new ShardLane(vertx, replies, cluster, Role.PERSIST, Lane.PERSIST, config);
  }

  private ShardLane(
      Vertx vertx, Replies replies, Cluster cluster, Role role, Lane lane, ClusterConfig config) {
    this.vertx = vertx;
    this.replies = replies;
    this.cluster = cluster;
    this.owners = new Owners(cluster, role, lane);
    this.role = role;
    this.lane = lane;
    this.deadlineMs = config.deadlineMs();
    this.attempt = new DeliveryOptions().setSendTimeout(config.attemptTimeoutMs());
    this.epochs = new AtomicLongArray(cluster.shards());
  }

  /**
   * Opens a way on which Batches keep their order, for the caller's event loop alone.
   *
   * @param maxRecords of a Batch that is joined from several that wait
   * @param maxBytes of such a Batch
   */
  public ShardStream open(int shard, int maxRecords, long maxBytes) {
    ShardStream stream = new ShardStream(Loop.current(vertx), this, shard, maxRecords, maxBytes);
    cluster.onChange(members -> stream.onChange());
    return stream;
  }

  /**
   * Hands a Batch to its shard's owner by itself: in no order with others that are under way. From
   * any thread.
   *
   * @return as of {@link ShardStream#send}
   */
  public Future<Void> send(Batch batch) {
    Promise<Void> taken = Promise.promise();
    vertx.getOrCreateContext().runOnContext(now -> alone(batch).onComplete(taken));
    return taken.future();
  }

  private Future<Void> alone(Batch batch) {
    return new ShardStream(Loop.current(), this, batch.shard(), 1, 0)
        .send(batch.records(), batch.stamp());
  }

  Optional<Owner> owner(int shard) {
    return owners.of(shard);
  }

  Future<Void> request(Owner owner, long stream, long number, Batch batch) {
    Batch believed = batch.inEpoch(epochs.get(batch.shard()));
    SequencedBatch next = new SequencedBatch(stream, number, believed);
    return replies.request(owner.member().id(), owner.address(), next, attempt).mapEmpty();
  }

  /** Whether a refusal tells of an epoch that was not known; then it is worth no pause. */
  boolean learnsEpoch(Refusal refusal, int shard) {
    if (refusal.why() != Refusal.Why.WRONG_EPOCH) {
      return false;
    }
    long epoch = Long.parseLong(refusal.getMessage());
    return epochs.getAndSet(shard, epoch) != epoch;
  }

  Refusal noOwner() {
    return new Refusal(Refusal.Why.NOT_READY, "no node with the role " + role.word() + " is up");
  }

  long deadlineNanos() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMs);
  }

  void after(long ms, Runnable task) {
    vertx.setTimer(ms, timer -> task.run());
  }

  /**
   * Takes what comes on {@link #open ways} and by {@link #send} for a shard, on the caller's event
   * loop.
   *
   * @param handler takes a Batch or refuses it, which it has to tell at once by a failed Future;
   *     what it took it answers when it is done with it. A failure other than a {@link Refusal} is
   *     taken as {@link Refusal.Why#BAD_REQUEST}
   */
  public MessageConsumer<?> onSend(int shard, Function<Batch, Future<Void>> handler) {
    String address = Addresses.of(cluster.self().id(), lane, shard);
    return replies.consume(address, new StreamOrder(handler));
  }
}
