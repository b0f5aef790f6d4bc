package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns handlers with a Future into consumers that reply. A member of a cluster is asked as soon as
 * it has joined, before its stages are there, and Vert.x drops what comes from elsewhere to an
 * address without a consumer: the asker would wait for its timeout. So each address of the node is
 * vacant, which answers {@link Refusal.Why#NOT_READY}, until its handler takes it and when that has
 * gone.
 */
final class Replies {
  private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

  private final Vertx vertx;
  private final Requests requests;

  /** Of no verticle, so that what is registered on it outlives them. */
  private final Context own;

  private final Map<String, MessageConsumer<?>> vacant = new ConcurrentHashMap<>();

  Replies(Vertx vertx, Cluster cluster) {
    this.vertx = vertx;
    this.requests = new Requests(vertx, cluster);
    this.own = vertx.getOrCreateContext();
    String self = cluster.self().id();
    for (Lane lane : Lane.values()) {
      vacate(Addresses.of(self, lane), "the node is starting");
      for (int shard = 0; shard < cluster.shards(); shard++) {
        vacate(Addresses.of(self, lane, shard), "the node is starting");
      }
    }
  }

  private void vacate(String address, String why) {
    Refusal refusal = new Refusal(Refusal.Why.NOT_READY, why);
    vacant.computeIfAbsent(
        address,
        free ->
            vertx
                .eventBus()
                .consumer(
                    free, message -> message.fail(refusal.failureCode(), refusal.getMessage())));
  }

  private void vacateAgain(String address) {
    try {
      vacate(address, "the node is stopping");
    } catch (IllegalStateException e) {
      LOG.debug("{} has no answer any more: the bus is closed", address);
    }
  }

  /** Sends a request to an address of a node; see {@link Requests}. */
  <A> Future<A> request(String node, String address, Object message, DeliveryOptions options) {
    return requests.send(node, address, message, options);
  }

  /** Replies to what comes to one of this node's addresses, on the caller's event loop. */
  <Q, A> MessageConsumer<Q> consume(String address, Function<Q, Future<A>> handler) {
    MessageConsumer<Q> consumer = consume(vertx.eventBus().<Q>consumer(address), handler);
    Optional.ofNullable(vacant.remove(address)).ifPresent(MessageConsumer::unregister);
    return vertx.isClustered()
        ? consumer.endHandler(ended -> own.runOnContext(now -> vacateAgain(address)))
        : consumer;
  }

  static <Q, A> MessageConsumer<Q> consume(
      MessageConsumer<Q> consumer, Function<Q, Future<A>> handler) {
    return consumer.handler(message -> answer(message, handler));
  }

  private static <Q, A> void answer(Message<Q> message, Function<Q, Future<A>> handler) {
    Future<A> answer;
    try {
      answer = handler.apply(message.body());
    } catch (RuntimeException e) {
      answer = Future.failedFuture(e);
    }
    answer.onSuccess(message::reply).onFailure(failure -> refuse(message, failure));
  }

  private static void refuse(Message<?> message, Throwable failure) {
    if (failure instanceof Refusal refusal) {
      message.fail(refusal.failureCode(), refusal.getMessage());
      return;
    }
    Refusal refusal = new Refusal(Refusal.Why.BAD_REQUEST, String.valueOf(failure.getMessage()));
    LOG.error("a request to {} failed", message.address(), failure);
    message.fail(refusal.failureCode(), refusal.getMessage());
  }
}
