package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Function;

/** The way of placed Batches from a shard's owner to the node that keeps a second copy. */
public final class ReplicaLane {
  private final Replies replies;
  private final Cluster cluster;
  private final DeliveryOptions attempt;

  ReplicaLane(Replies replies, Cluster cluster, long attemptTimeoutMs) {
    this.replies = replies;
    this.cluster = cluster;
    this.attempt = new DeliveryOptions().setSendTimeout(attemptTimeoutMs);
  }

  /** Succeeds when the copy is on disk; fails with a {@link Refusal}. */
  public Future<Replicated> replicate(String node, Replicate next) {
    String address = Addresses.of(node, Lane.REPLICATE, next.batch().shard());
    return replies
        .<Replicated>request(node, address, next, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #replicate} hands over, on the event loop of the shard. */
  public MessageConsumer<Replicate> onReplicate(
      int shard, Function<Replicate, Future<Replicated>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.REPLICATE, shard), handler);
  }
}
