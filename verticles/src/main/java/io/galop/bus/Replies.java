package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.galop.vertx.Loop;
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
import org.jspecify.annotations.Nullable;
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

  private static final char WAY = '@';

  private final Vertx vertx;
  private final Direct direct = new Direct();
  private final Requests requests;
  private final String self;

  /** Null where the event bus reaches all nodes. */
  private final @Nullable Carrier carrier;

  /** Of no verticle, so that what is registered on it outlives them. */
  private final Context own;

  private final Map<String, MessageConsumer<?>> vacant = new ConcurrentHashMap<>();

  /**
   * @param carrier takes what is for other nodes; null where the event bus does
   */
  Replies(Vertx vertx, Cluster cluster, @Nullable Carrier carrier) {
    this.vertx = vertx;
    this.carrier = carrier;
    this.requests = new Requests(vertx, cluster, direct);
    this.own = vertx.getOrCreateContext();
    this.self = cluster.self().id();
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

  /** Sends a request to an address of a node; see {@link Requests} and {@link Carrier}. */
  <A> Future<A> request(String node, String address, Object message, DeliveryOptions options) {
    return carrier == null || node.equals(self)
        ? requests.send(node, address, message, options)
        : carry(carrier, node, address, message, options.getSendTimeout());
  }

  /** The same of what goes over links only. */
  @SuppressWarnings("unchecked")
  <A> Future<A> carried(Errand errand) {
    return carrier == null
        ? Future.failedFuture(
            new Refusal(Refusal.Why.BAD_REQUEST, "this node has no links to ask over"))
        : (Future<A>) carrier.send(errand);
  }

  /** See {@link Carrier#leavesOut}. */
  boolean leavesOut(String node) {
    return carrier != null && carrier.leavesOut(node);
  }

  /** See {@link Carrier#want}. */
  void want(Errand.Want want) {
    if (carrier != null) {
      carrier.want(want);
    }
  }

  @SuppressWarnings("unchecked")
  private static <A> Future<A> carry(
      Carrier by, String node, String address, Object message, long timeoutMs) {
    return Errand.of(node, address, message, timeoutMs)
        .map(errand -> (Future<A>) by.send(errand))
        .orElseGet(
            () ->
                Future.failedFuture(
                    new Refusal(
                        Refusal.Why.BAD_REQUEST,
                        "nobody is asked " + Addresses.question(address) + " over a link")));
  }

  /** The node and what carries requests to it now; empty if nothing does. */
  String way(String node) {
    if (carrier == null || node.equals(self)) {
      return node;
    }
    String way = carrier.way(node);
    return way.isEmpty() ? "" : node + WAY + way;
  }

  /** Whether what carried requests to a node, as {@link #way} gave it, does so no more. */
  boolean isCut(String way) {
    int at = way.indexOf(WAY);
    return carrier != null && at >= 0 && !carrier.isOpen(way.substring(at + 1));
  }

  /** Replies to what comes to one of this node's addresses, on the caller's event loop. */
  <Q, A> MessageConsumer<Q> consume(String address, Function<Q, Future<A>> handler) {
    MessageConsumer<Q> consumer = consume(vertx.eventBus().<Q>consumer(address), handler);
    Direct.Target target =
        direct.open(address, Loop.current(vertx), message -> taken(address, message, handler));
    Optional.ofNullable(vacant.remove(address)).ifPresent(MessageConsumer::unregister);
    return consumer.endHandler(
        ended -> {
          direct.close(address, target);
          if (vertx.isClustered()) {
            own.runOnContext(now -> vacateAgain(address));
          }
        });
  }

  static <Q, A> MessageConsumer<Q> consume(
      MessageConsumer<Q> consumer, Function<Q, Future<A>> handler) {
    return consumer.handler(message -> answer(message, handler));
  }

  private static <Q, A> void answer(Message<Q> message, Function<Q, Future<A>> handler) {
    given(message.body(), handler)
        .onSuccess(message::reply)
        .onFailure(
            failure -> {
              Refusal refusal = refusal(message.address(), failure);
              message.fail(refusal.failureCode(), refusal.getMessage());
            });
  }

  @SuppressWarnings("unchecked") // of the type that the address is for, as on the event bus
  private static <Q, A> Future<?> taken(
      String address, Object message, Function<Q, Future<A>> handler) {
    return given((Q) message, handler)
        .recover(failure -> Future.failedFuture(refusal(address, failure)));
  }

  private static <Q, A> Future<A> given(Q message, Function<Q, Future<A>> handler) {
    try {
      return handler.apply(message);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static Refusal refusal(String address, Throwable failure) {
    if (failure instanceof Refusal refusal) {
      return refusal;
    }
    LOG.error("a request to {} failed", address, failure);
    return new Refusal(Refusal.Why.BAD_REQUEST, String.valueOf(failure.getMessage()));
  }
}
