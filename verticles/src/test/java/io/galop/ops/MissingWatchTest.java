package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.latency.Lateness;
import io.galop.ledger.NodeLedger;
import io.galop.node.Acts;
import io.galop.node.LiveConfig;
import io.galop.node.Node;
import io.galop.node.OwnerTaps;
import io.galop.node.Readiness;
import io.galop.node.Reports;
import io.galop.ops.access.Operators;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of viewers that miss records, and of topics that are silent. */
class MissingWatchTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Readiness readiness = new Readiness();
  private final Reports reports = new Reports();
  private final GalopConfig config =
      ConfigLoader.parse("{cluster: {members: [a]}, node: {roles: [broadcast]}}", "test.yaml");
  private final Watch watch =
      new Watch(
          new Node(
              new LiveConfig(config),
              null,
              meters,
              readiness,
              new Listeners(),
              reports,
              new Acts(),
              new Lateness("a"),
              new NodeLedger(),
              new OwnerTaps()),
          new Operators(config));
  private final AtomicLong silent = meters.gauge("galop.broadcast.stale.topics", new AtomicLong());
  private JsonArray stuck = new JsonArray();
  private JsonArray lost = new JsonArray();

  @BeforeEach
  void offer() {
    reports.offer("viewers/missing", asked -> Future.succeededFuture(missing()));
    JsonArray topics = new JsonArray().add("odds/1").add("odds/2");
    reports.offer(
        "silent", asked -> Future.succeededFuture(new JsonObject().put("topics", topics)));
  }

  private JsonObject missing() {
    return new JsonObject()
        .put("stuckViewers", stuck.size())
        .put("stuck", stuck)
        .put("lostViewers", lost.size())
        .put("lost", lost);
  }

  private static JsonObject viewer(String address, String field, int records) {
    return new JsonObject()
        .put("address", address)
        .put("filters", new JsonArray().add("race/#"))
        .put(field, records);
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      watch.look();
    }
  }

  @Test
  void viewersThatMissRecordsAreNamedUntilNoneHasDoneSoForAWhile() {
    look(15);
    assertEquals(Map.of(), readiness.warnings());
    stuck = new JsonArray().add(viewer("/10.0.0.7:5000", "waiting", 1_204));
    lost =
        new JsonArray().add(viewer("/10.0.0.8:5000", "dropped", 3)).add(viewer("", "dropped", 0));
    look(10);
    String said = readiness.warnings().get("viewers");
    assertTrue(
        said.startsWith(
            "1 viewer gets nothing new, although records wait for it: 10.0.0.7:5000 watching"
                + " race/# (1,204 records wait); 2 viewers had to miss records in the last five"
                + " minutes: 10.0.0.8:5000 watching race/# (3 records were not sent), one"
                + " watching race/# (back too late)"),
        said);
    stuck = new JsonArray();
    lost = new JsonArray();
    look(20);
    assertTrue(readiness.warnings().containsKey("viewers"), "it may come again at once");
    look(20);
    assertEquals(Map.of(), readiness.warnings());
  }

  @Test
  void silentTopicsAreNamedWhileTheyAre() {
    look(3);
    assertEquals(Map.of(), readiness.warnings());
    silent.set(7);
    look(3);
    String said = readiness.warnings().get("silent topics");
    assertTrue(said.contains("allows: odds/1, odds/2, … (7 topics in all)"), said);
    silent.set(0);
    look(1);
    assertEquals(Map.of(), readiness.warnings());
  }
}
