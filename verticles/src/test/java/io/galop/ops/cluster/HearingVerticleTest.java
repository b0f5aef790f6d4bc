package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.cluster.ClusterStart;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.e2e.Await;
import io.galop.latency.Lateness;
import io.galop.ledger.NodeLedger;
import io.galop.node.Acts;
import io.galop.node.LiveConfig;
import io.galop.node.Node;
import io.galop.node.OwnerTaps;
import io.galop.node.Readiness;
import io.galop.node.Reports;
import io.galop.servers.Ports;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two members of a cluster, of which one has no consumer of its addresses until it is given them.
 */
@Tag("slow")
@Timeout(180)
class HearingVerticleTest {
  private final String cluster = "test-" + System.nanoTime();
  private final List<String> ports =
      List.of(Integer.toString(Ports.free()), Integer.toString(Ports.free()));
  private final List<Vertx> running = new ArrayList<>();
  private final Readiness readiness = new Readiness();

  private GalopConfig config(int which) {
    List<String> sets =
        List.of(
            "cluster.name=" + cluster,
            "cluster.members=[127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1) + "]",
            "cluster.host=127.0.0.1",
            "cluster.port=" + ports.get(which),
            "cluster.busPort=0");
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
  }

  private ClusterStart.Started start(int which) {
    ClusterStart.Started started =
        ClusterStart.start(config(which), "node" + which, new VertxOptions());
    running.add(started.vertx());
    return started;
  }

  private Bus bus(ClusterStart.Started of) {
    return Bus.open(of.vertx(), of.cluster(), config(0).cluster());
  }

  @AfterEach
  void stop() {
    running.forEach(vertx -> vertx.close().await());
  }

  @Test
  void theYoungerOfTwoIsUnreadyUntilTheOtherAnswers() {
    ClusterStart.Started elder = start(0);
    ClusterStart.Started younger = start(1);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Node node =
        new Node(
            new LiveConfig(config(1)),
            bus(younger),
            meters,
            readiness,
            new Listeners(),
            new Reports(),
            new Acts(),
            new Lateness("node1"),
            new NodeLedger(),
            new OwnerTaps());
    HearingVerticle.deploy(younger.vertx(), node).await();
    Await.until("the younger is unready", 120, () -> !readiness.isReady());
    assertTrue(readiness.warnings().get("cluster").contains("node0"), "" + readiness.warnings());
    assertEquals(1, meters.get("galop.cluster.unheard").gauge().value());
    bus(elder);
    Await.until("it is ready", 120, () -> readiness.isReady() && readiness.warnings().isEmpty());
    assertEquals(0, meters.get("galop.cluster.unheard").gauge().value());
  }
}
