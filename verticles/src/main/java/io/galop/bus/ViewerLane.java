package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;

/**
 * What nodes tell each other of viewers who were sent away, as JSON: rare, and small. Each request
 * is answered by one node; a node that does not answer in time is as one that is not there.
 */
public final class ViewerLane {
  /**
   * Viewers are to be gone within a second; whoever asks wants to know soon of whom they are not.
   */
  private static final long TIMEOUT_MS = 3_000;

  private static final DeliveryOptions ATTEMPT = new DeliveryOptions().setSendTimeout(TIMEOUT_MS);

  private final Replies replies;
  private final Cluster cluster;

  ViewerLane(Replies replies, Cluster cluster) {
    this.replies = replies;
    this.cluster = cluster;
  }

  /**
   * Has a node end the connections of a subject, and refuse its tokens of before a moment.
   *
   * @param order {@code {"subject":…,"beforeMs":…}}
   * @return {@code
   *     {"ended":n,"asksForTokens":…,"saved":…,"relays":[{"relay":address,"node":name}]}}, each of
   *     these with the same, or {@code why} it has not answered
   */
  public Future<JsonObject> disconnect(String node, JsonObject order) {
    return ask(node, Lane.DISCONNECT, order);
  }

  /** Takes what {@link #disconnect} asks for. */
  public MessageConsumer<JsonObject> onDisconnect(
      Function<JsonObject, Future<JsonObject>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.DISCONNECT), handler);
  }

  /**
   * Asks a node which subjects it knows as sent away.
   *
   * @param question {@code {"after":subject,"fingerprint":of all that the asker knows}}
   * @return {@code {"subjects":{subject:moment,…},"next":subject}}; without {@code next}, all
   */
  public Future<JsonObject> known(String node, JsonObject question) {
    return ask(node, Lane.DISCONNECTED, question);
  }

  /** Takes what {@link #known} asks. */
  public MessageConsumer<JsonObject> onKnown(Function<JsonObject, Future<JsonObject>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.DISCONNECTED), handler);
  }

  /**
   * Has this node refuse tokens and end their connections, as whoever has dialled it says.
   *
   * @param order {@code {"subjects":{subject:moment,…}}}
   * @return {@code {"ended":n,"asksForTokens":…,"saved":…,"fingerprint":of all that it knows}}
   */
  public Future<JsonObject> revoke(JsonObject order) {
    return ask(cluster.self().id(), Lane.REVOKE, order);
  }

  /** Takes what {@link #revoke} asks for. */
  public MessageConsumer<JsonObject> onRevoke(Function<JsonObject, Future<JsonObject>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.REVOKE), handler);
  }

  /**
   * Has the relays that this node dials {@link #revoke}.
   *
   * @return {@code {"relays":[…]}} as of {@link #disconnect}
   */
  public Future<JsonObject> tellRelays(JsonObject order) {
    return ask(cluster.self().id(), Lane.RELAYS, order);
  }

  /** Takes what {@link #tellRelays} asks for. */
  public MessageConsumer<JsonObject> onTellRelays(
      Function<JsonObject, Future<JsonObject>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.RELAYS), handler);
  }

  private Future<JsonObject> ask(String node, Lane lane, JsonObject message) {
    return replies
        .<JsonObject>request(node, Addresses.of(node, lane), message, ATTEMPT)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }
}
