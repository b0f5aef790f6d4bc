package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.galop.config.ClusterConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;

/**
 * The bus door: lines that somebody without a door of their own hands in over the event bus, as a
 * member of the cluster or through the {@link BridgeServer}.
 *
 * <p>The message is {@code {"lines":"<NDJSON>","token":"…"}}, the token only where publishers are
 * asked for one and only over the bridge: a member of the cluster is trusted anyway. The reply is
 * the http door's: {@code {"accepted":n,"rejected":[{"line":k,"reason":"…","detail":"…"}]}}, sent
 * when the accepted records are acknowledged. JSON, because the bridge carries nothing else.
 */
public final class PublishLane {
  /** The subject of a client's certificate, in what comes over the bridge; never the sender's. */
  public static final String CERTIFICATE = "certificate";

  /** The {@code reason} of a reply that took nothing, as the node goes: send the same again. */
  public static final String SHUTDOWN = "shutdown";

  private final Vertx vertx;
  private final Replies replies;
  private final Cluster cluster;
  private final DeliveryOptions attempt;

  PublishLane(Vertx vertx, Replies replies, Cluster cluster, ClusterConfig config) {
    this.vertx = vertx;
    this.replies = replies;
    this.cluster = cluster;
    // A Batch that no owner takes fails at its own deadline, and the reply has to outlive that.
    this.attempt =
        new DeliveryOptions().setSendTimeout(config.deadlineMs() + config.attemptTimeoutMs());
  }

  /** Hands lines to a node with the role ingest. Fails with a {@link Refusal}. */
  public Future<JsonObject> publish(String node, String lines) {
    return vertx
        .eventBus()
        .<JsonObject>request(
            Addresses.of(node, Lane.PUBLISH), new JsonObject().put("lines", lines), attempt)
        .map(reply -> reply.body())
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #publish} hands over. */
  public MessageConsumer<JsonObject> onPublish(Function<JsonObject, Future<JsonObject>> handler) {
    String address = Addresses.of(cluster.self().id(), Lane.PUBLISH);
    return replies.consume(address, handler);
  }

  /**
   * Takes what comes over this node's {@link BridgeServer}; never from another node. Programs of
   * others write there: a message without an object is taken as an empty one.
   */
  public MessageConsumer<?> onBridged(Function<JsonObject, Future<JsonObject>> handler) {
    return Replies.consume(
        vertx.eventBus().<Object>localConsumer(Addresses.PUBLISH_BRIDGE),
        body -> handler.apply(body instanceof JsonObject object ? object : new JsonObject()));
  }
}
