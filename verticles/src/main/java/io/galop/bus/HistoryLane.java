package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
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

  /** Takes what {@link #query} asks. */
  public MessageConsumer<HistoryQuery> onQuery(Function<HistoryQuery, Future<Page>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.HISTORY), handler);
  }
}
