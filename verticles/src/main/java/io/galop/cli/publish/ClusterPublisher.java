package io.galop.cli.publish;

import io.galop.bus.Bus;
import io.galop.cli.CliFailure;
import io.galop.cluster.ClusterStart;
import io.galop.cluster.Member;
import io.galop.config.ClusterConfig;
import io.galop.config.GalopConfig;
import io.galop.config.NodeConfig;
import io.galop.config.Role;
import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** As a member of the cluster that runs nothing, keeps nothing and is gone with the command. */
final class ClusterPublisher implements DoorClient {
  private static final long LOOK_EVERY_MS = 50;

  private final ClusterStart.Started started;
  private final Bus bus;
  private final String node;
  private final long answerTimeoutSeconds;

  /**
   * Joins the cluster and looks for a node with the role ingest.
   *
   * @param config that of a node: members and name of the cluster, number of shards
   * @throws CliFailure if the configuration names no members, or no such node is found in time
   */
  ClusterPublisher(GalopConfig config, long answerTimeoutSeconds) throws InterruptedException {
    if (!config.cluster().isClustered()) {
      throw CliFailure.usage(
          "--cluster needs the cluster's addresses, as in --set cluster.members=[127.0.0.1:5701]");
    }
    this.answerTimeoutSeconds = answerTimeoutSeconds;
    String name = "galop-publish-" + UUID.randomUUID();
    VertxOptions options = new VertxOptions().setEventLoopPoolSize(1);
    started = ClusterStart.start(visitor(config), name, options);
    bus = Bus.open(started.vertx(), started.cluster(), config.cluster());
    node = awaitIngest();
  }

  private static NodeConfig withoutRoles(NodeConfig node) {
    return new NodeConfig(
        "",
        List.of(),
        node.dataDir(),
        node.shards(),
        node.eventLoops(),
        node.transport(),
        node.keepAliveSeconds(),
        node.shutdownTimeoutMs());
  }

  /** The configuration of a member without roles, on ports that no node of this machine has. */
  private static GalopConfig visitor(GalopConfig config) {
    ClusterConfig cluster = config.cluster();
    return new GalopConfig(
        withoutRoles(config.node()),
        new ClusterConfig(
            cluster.members(),
            cluster.name(),
            cluster.secret(),
            cluster.secretFile(),
            cluster.maxFrameBytes(),
            cluster.host(),
            0,
            0,
            cluster.maxSilenceSeconds(),
            cluster.attemptTimeoutMs(),
            cluster.deadlineMs(),
            cluster.namesWaitSeconds(),
            cluster.tls()),
        config.http(),
        config.management(),
        config.ingest(),
        config.enrich(),
        config.persist(),
        config.broadcast(),
        config.alarms(),
        config.drills(),
        config.headroom(),
        List.of(),
        config.logging(),
        config.telemetry(),
        List.of());
  }

  private String awaitIngest() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(answerTimeoutSeconds);
    Optional<Member> found = ingest();
    while (found.isEmpty() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      found = ingest();
    }
    if (found.isEmpty()) {
      close();
      throw CliFailure.failed("no node with the role ingest in the cluster");
    }
    return found.get().id();
  }

  private Optional<Member> ingest() {
    return bus.cluster().members().stream()
        .filter(member -> member.roles().contains(Role.INGEST))
        .findFirst();
  }

  @Override
  public CompletableFuture<PublishAnswer> send(String lines) {
    return bus.publish()
        .publish(node, lines)
        .map(PublishAnswer::of)
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(answerTimeoutSeconds, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    started.vertx().close().await();
  }
}
