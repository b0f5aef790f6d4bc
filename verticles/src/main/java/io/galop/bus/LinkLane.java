package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Function;

/**
 * What a node does on behalf of the relays that it dials: asks the cluster, or, where it is a relay
 * itself, stands in for the owners of shards, and asks on for the past.
 */
public final class LinkLane {
  private final Replies replies;
  private final Cluster cluster;
  private final FeedLane feed;
  private final HistoryLane history;
  private final long attemptTimeoutMs;

  LinkLane(
      Replies replies, Cluster cluster, FeedLane feed, HistoryLane history, long attemptTimeoutMs) {
    this.replies = replies;
    this.cluster = cluster;
    this.feed = feed;
    this.history = history;
    this.attemptTimeoutMs = attemptTimeoutMs;
  }

  /**
   * By which {@link Follow#node} a relay follows through this node.
   *
   * @param relay its number among those that the node dials
   */
  public String follower(int relay) {
    return Addresses.relay(cluster.self().id(), relay);
  }

  /** Takes what owners push for that follower, on the caller's event loop. */
  public MessageConsumer<Push> onPush(int relay, Function<Push, Future<Void>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.PUSH, relay), handler);
  }

  /** Answers what a relay asks, or asks who knows. Fails with a {@link Refusal}. */
  public Future<?> ask(Errand errand) {
    return switch (errand.kind()) {
      case FOLLOW -> feed.followFor((Follow) errand.message());
      case LATEST -> feed.latestFor((Ask) errand.message());
      case FETCH -> feed.fetch((Ask) errand.message());
      case HISTORY ->
          history.query(
              errand.node(),
              (HistoryQuery) errand.message(),
              Math.max(0, errand.timeoutMs() - attemptTimeoutMs));
      case PUSH, REVOKE, LOAD, BEGIN, WANT, VALUES, PART, PRESENCE, DRILL ->
          Future.failedFuture(new Refusal(Refusal.Why.BAD_REQUEST, "a relay tells nothing"));
    };
  }
}
