package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.config.ClusterConfig;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;

/**
 * The way of a Batch to the owner of its shard at the next stage: at least once, with a deadline.
 * The reply is the acknowledgement, so it travels back to the door through the same requests.
 */
public final class ShardLane {
  private static final long FIRST_PAUSE_MS = 20;
  private static final long LONGEST_PAUSE_MS = 500;

  private final Vertx vertx;
  private final Replies replies;
  private final Cluster cluster;
  private final Role role;
  private final Lane lane;
  private final long deadlineMs;
  private final DeliveryOptions attempt;
  private final AtomicLongArray epochs;

  ShardLane(
      Vertx vertx, Replies replies, Cluster cluster, Role role, Lane lane, ClusterConfig config) {
    this.vertx = vertx;
    this.replies = replies;
    this.cluster = cluster;
    this.role = role;
    this.lane = lane;
    this.deadlineMs = config.deadlineMs();
    this.attempt = new DeliveryOptions().setSendTimeout(config.attemptTimeoutMs());
    this.epochs = new AtomicLongArray(cluster.shards());
  }

  /**
   * Hands a Batch to its shard's owner, again and perhaps to another node until it is taken.
   *
   * @return succeeds when the receiver's handler did; fails with a {@link Refusal} that is not
   *     transient. After {@link Refusal.Why#DEADLINE} the Batch may or may not have been taken
   */
  public Future<Void> send(Batch batch) {
    Promise<Void> taken = Promise.promise();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMs);
    attempt(batch, deadline, FIRST_PAUSE_MS, taken);
    return taken.future();
  }

  private void attempt(Batch batch, long deadline, long pauseMs, Promise<Void> taken) {
    cluster
        .owner(role, batch.shard())
        .map(owner -> request(owner, batch))
        .orElseGet(() -> Future.failedFuture(noOwner()))
        .onSuccess(taken::complete)
        .onFailure(failure -> onRefused(Refusal.of(failure), batch, deadline, pauseMs, taken));
  }

  private Future<Void> request(Member owner, Batch batch) {
    String address = Addresses.of(owner.id(), lane, batch.shard());
    Batch believed = batch.inEpoch(epochs.get(batch.shard()));
    return vertx.eventBus().request(address, believed, attempt).mapEmpty();
  }

  private void onRefused(
      Refusal refusal, Batch batch, long deadline, long pauseMs, Promise<Void> taken) {
    if (!refusal.isTransient()) {
      taken.fail(refusal);
    } else if (System.nanoTime() - deadline > 0) {
      taken.fail(new Refusal(Refusal.Why.DEADLINE, "not taken in time: " + refusal.getMessage()));
    } else if (learnsEpoch(refusal, batch.shard())) {
      attempt(batch, deadline, pauseMs, taken);
    } else {
      long next = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      vertx.setTimer(pauseMs, timer -> attempt(batch, deadline, next, taken));
    }
  }

  private boolean learnsEpoch(Refusal refusal, int shard) {
    if (refusal.why() != Refusal.Why.WRONG_EPOCH) {
      return false;
    }
    long epoch = Long.parseLong(refusal.getMessage());
    return epochs.getAndSet(shard, epoch) != epoch;
  }

  private Refusal noOwner() {
    return new Refusal(Refusal.Why.NOT_READY, "no node with the role " + role.word() + " is up");
  }

  /**
   * Takes what {@link #send} hands over for a shard, on the caller's event loop.
   *
   * @param handler answers when the Batch is done with; a failure other than a {@link Refusal} is
   *     taken as {@link Refusal.Why#BAD_REQUEST}
   */
  public MessageConsumer<Batch> onSend(int shard, Function<Batch, Future<Void>> handler) {
    String address = Addresses.of(cluster.self().id(), lane, shard);
    return replies.consume(address, handler);
  }
}
