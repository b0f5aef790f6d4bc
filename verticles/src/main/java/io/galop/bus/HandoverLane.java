package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Function;

/** How a shard changes hands while both owners are up. */
public final class HandoverLane {
  private final Replies replies;
  private final Cluster cluster;
  private final DeliveryOptions attempt;

  HandoverLane(Replies replies, Cluster cluster, long attemptTimeoutMs) {
    this.replies = replies;
    this.cluster = cluster;
    this.attempt = new DeliveryOptions().setSendTimeout(attemptTimeoutMs);
  }

  /**
   * New owner → another node with the role persist: end your epoch of the shard, if you have one.
   */
  public Future<Sealed> seal(String node, Seal seal) {
    return replies
        .<Sealed>request(node, Addresses.of(node, Lane.SEAL, seal.shard()), seal, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #seal} asks, on the event loop of the shard. */
  public MessageConsumer<Seal> onSeal(int shard, Function<Seal, Future<Sealed>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.SEAL, shard), handler);
  }

  /**
   * New owner → another node: the latest record of each topic that it knows, in pages, whether it
   * owns the shard or not. {@link Page#complete}: it has forgotten none. {@link Page#upTo}: it
   * knows of everything that was placed after this; {@link Position#none} if there is nothing
   * before.
   */
  public Future<Page> topics(String node, Ask ask) {
    return replies
        .<Page>request(node, Addresses.of(node, Lane.TOPICS, ask.shard()), ask, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #topics} asks. */
  public MessageConsumer<Ask> onTopics(int shard, Function<Ask, Future<Page>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.TOPICS, shard), handler);
  }

  /** New owner → another node with the role persist: an epoch begins. */
  public Future<Void> begun(String node, Begun begun) {
    return replies
        .<Void>request(node, Addresses.of(node, Lane.BEGUN, begun.shard()), begun, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #begun} tells, on the event loop of the shard. */
  public MessageConsumer<Begun> onBegun(int shard, Function<Begun, Future<Void>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.BEGUN, shard), handler);
  }

  /** Holder of a shard → the node that should own it: take it. Succeeds when that is settled. */
  public Future<Void> offer(String node, Offer offer) {
    return replies
        .<Void>request(node, Addresses.of(node, Lane.OFFER, offer.shard()), offer, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #offer} tells, on the event loop of the shard. */
  public MessageConsumer<Offer> onOffer(int shard, Function<Offer, Future<Void>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.OFFER, shard), handler);
  }
}
