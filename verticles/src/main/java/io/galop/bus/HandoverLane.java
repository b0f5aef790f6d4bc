package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Function;

/** How a shard changes hands while both owners are up. */
public final class HandoverLane {
  private final Vertx vertx;
  private final Replies replies;
  private final Cluster cluster;
  private final DeliveryOptions attempt;

  HandoverLane(Vertx vertx, Replies replies, Cluster cluster, long attemptTimeoutMs) {
    this.vertx = vertx;
    this.replies = replies;
    this.cluster = cluster;
    this.attempt = new DeliveryOptions().setSendTimeout(attemptTimeoutMs);
  }

  /**
   * New owner → another node with the role persist: end your epoch of the shard, if you have one.
   */
  public Future<Sealed> seal(String node, Seal seal) {
    return vertx
        .eventBus()
        .<Sealed>request(Addresses.of(node, Lane.SEAL, seal.shard()), seal, attempt)
        .map(reply -> reply.body())
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #seal} asks, on the event loop of the shard. */
  public MessageConsumer<Seal> onSeal(int shard, Function<Seal, Future<Sealed>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.SEAL, shard), handler);
  }

  /** Holder of a shard → the node that should own it: take it. Succeeds when that is settled. */
  public Future<Void> offer(String node, Offer offer) {
    return vertx
        .eventBus()
        .request(Addresses.of(node, Lane.OFFER, offer.shard()), offer, attempt)
        .<Void>mapEmpty()
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #offer} tells, on the event loop of the shard. */
  public MessageConsumer<Offer> onOffer(int shard, Function<Offer, Future<Void>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.OFFER, shard), handler);
  }
}
