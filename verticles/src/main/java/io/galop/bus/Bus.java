package io.galop.bus;

import io.galop.cluster.Cluster;
import io.galop.config.ClusterConfig;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/** A node's access to the bus: who is there, and a typed lane for each kind of traffic. */
public record Bus(
    Cluster cluster,
    ShardLane enrich,
    ShardLane persist,
    FeedLane feed,
    HistoryLane history,
    HandoverLane handover,
    ReplicaLane replica,
    PublishLane publish,
    ViewerLane viewers,
    LinkLane link,
    ClockLane clock,
    OperatorLane operators) {

  /** Opens the lanes of a node. */
  public static Bus open(Vertx vertx, Cluster cluster, ClusterConfig config) {
    return open(vertx, cluster, config, null);
  }

  /** The same of a node that reaches all others over links. */
  public static Bus overLinks(Vertx vertx, Cluster cluster, ClusterConfig config, Carrier links) {
    return open(vertx, cluster, config, links);
  }

  private static Bus open(
      Vertx vertx, Cluster cluster, ClusterConfig config, @Nullable Carrier links) {
    Codecs.register(vertx.eventBus());
    Replies replies = new Replies(vertx, cluster, links);
    long timeoutMs = config.attemptTimeoutMs();
    FeedLane feed = new FeedLane(replies, cluster, timeoutMs);
    HistoryLane history = new HistoryLane(replies, cluster, timeoutMs);
    return new Bus(
        cluster,
        ShardLane.enrich(vertx, replies, cluster, config),
        ShardLane.persist(vertx, replies, cluster, config),
        feed,
        history,
        new HandoverLane(replies, cluster, timeoutMs),
        new ReplicaLane(replies, cluster, timeoutMs),
        new PublishLane(vertx, replies, cluster, config),
        new ViewerLane(replies, cluster),
        new LinkLane(replies, cluster, feed, history, timeoutMs),
        new ClockLane(replies, cluster),
        new OperatorLane(replies, cluster));
  }
}
