package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
  private JsonArray sentAway = new JsonArray();
  private JsonArray missed = new JsonArray();
  private int connections = 3;
  private int silentOfLate;

  @BeforeEach
  void offer() {
    reports.offer("viewers/missing", asked -> Future.succeededFuture(missing()));
    reports.offer("silent", asked -> Future.succeededFuture(silences()));
  }

  private JsonObject silences() {
    JsonArray topics =
        new JsonArray()
            .add(new JsonObject().put("topic", "odds/1").put("silentMs", 59_000))
            .add(new JsonObject().put("topic", "odds/2").put("silentMs", 240_000));
    return new JsonObject()
        .put("count", silentOfLate)
        .put("topics", silentOfLate == 0 ? new JsonArray() : topics)
        .put("forLong", silent.get() - silentOfLate);
  }

  private JsonObject missing() {
    return new JsonObject()
        .put("stuck", kind(stuck))
        .put("sentAway", kind(sentAway))
        .put("missed", kind(missed))
        .put("connections", connections);
  }

  private static JsonObject kind(JsonArray viewers) {
    return new JsonObject()
        .put("count", viewers.size())
        .put("orMore", viewers.size() == 100)
        .put("viewers", viewers);
  }

  /** What everybody may read, without a login. */
  private String open(String part) {
    return readiness.conditions().stream()
        .filter(one -> one.part().equals(part))
        .findFirst()
        .orElseThrow()
        .opened()
        .text();
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
    sentAway = new JsonArray().add(viewer("/10.0.0.8:5000", "dropped", 3));
    missed =
        new JsonArray().add(viewer("/10.0.0.9:5000", "dropped", 0)).add(viewer("", "dropped", 0));
    look(10);
    String said = readiness.warnings().get("viewers");
    assertTrue(
        said.startsWith(
            "1 viewer gets nothing new, although records wait for it: 10.0.0.7:5000 watching"
                + " race/# (1,204 records wait); 1 viewer was sent away as too slow in the last"
                + " five minutes, to come back for the rest: 10.0.0.8:5000 watching race/# (3"
                + " records were left); 2 viewers had to miss records in the last five minutes:"
                + " 10.0.0.9:5000 watching race/# (back too late), one watching race/# (back too"
                + " late)"),
        said);
    String open = open("viewers");
    assertTrue(open.startsWith("1 viewer gets nothing new, although records wait"), open);
    assertTrue(open.contains("2 viewers had to miss records"), open);
    assertFalse(open.contains("10.0.0.") || open.contains("race"), open);
    stuck = new JsonArray();
    sentAway = new JsonArray();
    missed = new JsonArray();
    look(20);
    assertTrue(readiness.warnings().containsKey("viewers"), "it may come again at once");
    look(20);
    assertEquals(Map.of(), readiness.warnings());
  }

  @Test
  void silentTopicsAreNamedWhileTheyAre() {
    look(3);
    assertEquals(Map.of(), readiness.warnings());
    silent.set(17);
    look(3);
    assertEquals(Map.of(), readiness.warnings(), "all of them for long");
    silentOfLate = 7;
    look(3);
    String said = readiness.warnings().get("silent topics");
    String named = "allows: odds/1 (less than a minute), odds/2 (4 min), … (7 topics in all)";
    assertTrue(said.contains(named + ", and 10 for long"), said);
    String open = open("silent topics");
    assertTrue(open.contains("allows: 7 topics, and 10 for long"), open);
    assertFalse(open.contains("odds"), open);
  }

  @Test
  void aTopicThatComesAndGoesDoesNotBeginAndEndTheWords() {
    for (int i = 0; i < 9; i++) {
      silentOfLate = 1;
      silent.set(1);
      look(3);
      assertTrue(readiness.warnings().containsKey("silent topics"));
      silentOfLate = 0;
      silent.set(i % 2);
      look(20);
      assertTrue(readiness.warnings().containsKey("silent topics"), "it may be silent again");
    }
    silent.set(17);
    look(40);
    assertEquals(Map.of(), readiness.warnings());
  }

  @Test
  void aFewOfManyAreNoConditionAndAHundredAlwaysAre() {
    connections = 5_000;
    for (int n = 0; n < 4; n++) {
      missed.add(viewer("/10.0.0.9:" + n, "dropped", 0));
    }
    look(10);
    assertEquals(Map.of(), readiness.warnings());
    missed.add(viewer("/10.0.0.9:4", "dropped", 0));
    look(10);
    assertTrue(readiness.warnings().get("viewers").startsWith("5 viewers had to miss"));
    connections = 5_000_000;
    while (missed.size() < 100) {
      missed.add(viewer("/10.0.0.9:4", "dropped", 0));
    }
    look(10);
    String said = readiness.warnings().get("viewers");
    assertTrue(said.startsWith("100 or more viewers had to miss records"), said);
  }
}
