package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;

/** Questions to the nodes that keep records. */
public final class HistoryLane {
  private final Replies replies;
  private final Cluster cluster;
  private final long attemptTimeoutMs;

  HistoryLane(Replies replies, Cluster cluster, long attemptTimeoutMs) {
    this.replies = replies;
    this.cluster = cluster;
    this.attemptTimeoutMs = attemptTimeoutMs;
  }

  /** Asks one node with the role persist for a page of what it keeps, in the query's order. */
  public Future<Page> query(String node, HistoryQuery query) {
    return query(node, query, 0);
  }

  /**
   * The same, of a node that waits for its stores.
   *
   * @param storesMs for so long, beside what an answer takes anyway
   */
  public Future<Page> query(String node, HistoryQuery query, long storesMs) {
    DeliveryOptions attempt = new DeliveryOptions().setSendTimeout(attemptTimeoutMs + storesMs);
    return replies
        .<Page>request(node, Addresses.of(node, Lane.HISTORY), query, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /**
   * Asks one node with the role persist from when on its roll-ups have all values of the fields and
   * topics of a question.
   *
   * @return {@code {"isMeant":…,"sinceUs":…,"lostUs":…}}, in microseconds since 1970; fails with a
   *     {@link Refusal} if the node has not now what it should
   */
  public Future<JsonObject> rolledSince(String node, RolledQuery query) {
    DeliveryOptions attempt = new DeliveryOptions().setSendTimeout(2 * attemptTimeoutMs);
    return replies
        .<JsonObject>request(node, Addresses.of(node, Lane.ROLLUPS), query, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #rolledSince} asks. */
  public MessageConsumer<RolledQuery> onRolledSince(
      Function<RolledQuery, Future<JsonObject>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.ROLLUPS), handler);
  }

  /** Asks one node for a page of rows, in the form of records. */
  public Future<Page> rolled(String node, RolledQuery query, long storesMs) {
    DeliveryOptions attempt = new DeliveryOptions().setSendTimeout(attemptTimeoutMs + storesMs);
    return replies
        .<Page>request(node, Addresses.of(node, Lane.ROLLED), query, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Takes what {@link #rolled} asks. */
  public MessageConsumer<RolledQuery> onRolled(Function<RolledQuery, Future<Page>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.ROLLED), handler);
  }

  /** Takes what {@link #query} asks. */
  public MessageConsumer<HistoryQuery> onQuery(Function<HistoryQuery, Future<Page>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.HISTORY), handler);
  }
}
