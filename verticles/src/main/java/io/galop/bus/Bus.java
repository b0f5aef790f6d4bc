package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.galop.config.ClusterConfig;
import io.galop.config.Role;
import io.vertx.core.Vertx;

/** A node's access to the bus: who is there, and a typed lane for each kind of traffic. */
public record Bus(
    Cluster cluster,
    ShardLane enrich,
    ShardLane persist,
    FeedLane feed,
    HistoryLane history,
    HandoverLane handover,
    ReplicaLane replica,
    PublishLane publish) {

  /** Opens the lanes of a node. */
  public static Bus open(Vertx vertx, Cluster cluster, ClusterConfig config) {
    Codecs.register(vertx.eventBus());
    Replies replies = new Replies(vertx, cluster);
    long timeoutMs = config.attemptTimeoutMs();
    return new Bus(
        cluster,
        new ShardLane(vertx, replies, cluster, Role.ENRICH, Lane.ENRICH, config),
        new ShardLane(vertx, replies, cluster, Role.PERSIST, Lane.PERSIST, config),
        new FeedLane(replies, cluster, timeoutMs),
        new HistoryLane(replies, cluster, timeoutMs),
        new HandoverLane(replies, cluster, timeoutMs),
        new ReplicaLane(replies, cluster, timeoutMs),
        new PublishLane(vertx, replies, cluster, config));
  }
}
