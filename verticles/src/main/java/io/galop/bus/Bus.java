package io.galop.bus;

import io.galop.bus.Addresses.Lane;
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
    PublishLane publish) {

  /** Opens the lanes of a node. */
  public static Bus open(Vertx vertx, Cluster cluster, ClusterConfig config) {
    Codecs.register(vertx.eventBus());
    long timeoutMs = config.attemptTimeoutMs();
    return new Bus(
        cluster,
        new ShardLane(vertx, cluster, Role.ENRICH, Lane.ENRICH, config),
        new ShardLane(vertx, cluster, Role.PERSIST, Lane.PERSIST, config),
        new FeedLane(vertx, cluster, timeoutMs),
        new HistoryLane(vertx, cluster, timeoutMs),
        new HandoverLane(vertx, cluster, timeoutMs),
        new PublishLane(vertx, cluster, config));
  }
}
