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
import io.galop.ops.ClockVerticle;
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
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

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

  private Node node(int which, ClusterStart.Started of, Readiness itsReadiness) {
    return new Node(
        new LiveConfig(config(which)),
        bus(of),
        meters,
        itsReadiness,
        new Listeners(),
        new Reports(),
        new Acts(),
        new Lateness("node" + which),
        new NodeLedger(),
        new OwnerTaps());
  }

  private void deploy(ClusterStart.Started on, Node node) {
    on.vertx().deployVerticle(new ClockVerticle(node)).await();
    on.vertx().deployVerticle(new ReportVerticle(node)).await();
    HearingVerticle.deploy(on.vertx(), node).await();
  }

  @Test
  void whoStopsInOrderIsNotLost() throws Exception {
    ClusterStart.Started stays = start(0);
    ClusterStart.Started goes = start(1);
    deploy(stays, node(0, stays, readiness));
    deploy(goes, node(1, goes, new Readiness()));
    Await.until("both are heard", 120, () -> heard(stays, 2) && heard(goes, 2));
    running.remove(goes.vertx());
    goes.vertx().close().await();
    Await.until("it has gone", 120, () -> stays.cluster().members().size() == 1);
    Thread.sleep(3 * Hearing.ASK_MS);
    assertEquals(Map.of(), readiness.warnings());
  }

  private static boolean heard(ClusterStart.Started at, int members) {
    return at.cluster().members().size() == members;
  }

  @Test
  void theYoungerOfTwoIsUnreadyUntilTheOtherAnswers() {
    ClusterStart.Started elder = start(0);
    ClusterStart.Started younger = start(1);
    HearingVerticle.deploy(younger.vertx(), node(1, younger, readiness)).await();
    Await.until("the younger is unready", 120, () -> !readiness.isReady());
    assertTrue(readiness.warnings().get("cluster").contains("node0"), "" + readiness.warnings());
    assertEquals(1, meters.get("galop.cluster.unheard").gauge().value());
    bus(elder);
    Await.until("it is ready", 120, () -> readiness.isReady() && readiness.warnings().isEmpty());
    assertEquals(0, meters.get("galop.cluster.unheard").gauge().value());
  }
}
