package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.galop.servers.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drills that relays watch, with faults from outside: whose fault it is is told, and no other. */
@Timeout(240)
class RelayDrillFaultIT {
  private static final int WITHIN_MS = 2_000;
  private static final List<String> SHARED =
      List.of("--set", "node.shards=1", "--set", "drills.withinMs=" + WITHIN_MS);

  @TempDir static Path keys;
  @TempDir Path directory;
  private static Relays relays;
  private final int port = Ports.free();

  @BeforeAll
  static void sign() throws Exception {
    relays = Relays.signedIn(keys);
  }

  private List<String> relay(String... more) {
    List<String> args = new ArrayList<>(relays.relay("127.0.0.1", port));
    args.addAll(List.of("--set", "node.name=border"));
    args.addAll(SHARED);
    args.addAll(List.of(more));
    return args;
  }

  private static JsonObject last(String answer) {
    return new JsonObject(answer).getJsonArray("drills").getJsonObject(0);
  }

  private static String states(JsonObject drill) {
    return drill.getJsonArray("relays").stream()
        .map(JsonObject.class::cast)
        .map(relay -> relay.getString("node") + " " + relay.getString("state"))
        .collect(Collectors.joining(", "));
  }

  private static List<String> failures(JsonObject drill, String field) {
    return drill.getJsonArray("failures").stream()
        .map(failure -> ((JsonObject) failure).getString(field))
        .toList();
  }

  /** The address of the listener for MQTT is its own, and is taken away from the relay. */
  @Test
  void namesTheRelayWhoseViewersWithMqttGetNoFurther() throws Exception {
    assumeTrue(NetworkZone.isPossible(), "network namespaces need root");
    List<String> inside = new ArrayList<>(SHARED);
    inside.addAll(List.of("--roles", "ingest,enrich,persist", "--set", "node.name=inside"));
    inside.addAll(List.of(relays.dialling(port)));
    List<String> mqtt = new ArrayList<>();
    for (String set : List.of("enabled=true", "host=127.0.0.2", "port=0")) {
      mqtt.addAll(List.of("--set", "broadcast.mqtt." + set));
    }
    try (NetworkZone zone = NetworkZone.alone();
        GalopProcess relay =
            GalopProcess.run(zone, directory.resolve("relay"), relay(mqtt.toArray(String[]::new)));
        GalopProcess node = GalopProcess.run(zone, directory.resolve("node"), inside)) {
      awaitPassed(zone, node);
      assertEquals(
          List.of("websocket", "xhr", "events", "mqtt"),
          last(get(zone, relay, "/drills")).getJsonArray("viewers").getList());
      zone.run("ip", "route", "add", "prohibit", "127.0.0.2", "table", "local");
      JsonObject drill = drill(zone, node);
      assertEquals(
          List.of("the drill failed at relay border at localhost:" + port + " (mqtt)"),
          failures(drill, "why"),
          drill.encode());
      assertEquals("border failed", states(drill));
      JsonObject own = last(get(zone, relay, "/drills"));
      assertEquals(List.of("mqtt"), failures(own, "stage"), own.encode());
      assertTrue(get(zone, relay, "/status").contains("viewers with MQTT may see nothing new"));
      assertTrue(get(zone, relay, "/metrics").contains("galop_drill_failed{stage=\"mqtt\"} 1"));
      zone.run("ip", "route", "del", "prohibit", "127.0.0.2", "table", "local");
      awaitPassed(zone, node);
      assertFalse(get(zone, relay, "/status").contains("viewers with MQTT may see nothing"));
    }
  }

  private static JsonObject drill(NetworkZone zone, GalopProcess node) {
    String json = "Content-Type: application/json";
    String at = node.management("/drills?fault=none").toString();
    return last(zone.run("curl", "-s", "-H", json, "-d", "{}", at));
  }

  private static String get(NetworkZone zone, GalopProcess node, String path) {
    return zone.run("curl", "-s", node.management(path).toString());
  }

  private static void awaitPassed(NetworkZone zone, GalopProcess node) {
    Await.until(
        "the relay passes",
        120,
        () -> {
          JsonObject drill = drill(zone, node);
          assertTrue(drill.getBoolean("passed"), drill.encode());
          return states(drill).equals("border passed");
        });
  }

  /** Its other link is there, and the feed is not. */
  @Test
  void aShardWhoseOwnerStandsStillIsNoFaultOfTheRelay() throws Exception {
    String[] dialling = relays.dialling(port);
    List<String> shared = new ArrayList<>(SHARED);
    shared.addAll(List.of("--set", "cluster.maxSilenceSeconds=60")); // nobody takes the shard over
    try (GalopProcess relay = GalopProcess.run(directory.resolve("relay"), List.of(), relay());
        Nodes nodes = new Nodes(directory, List.of("a", "b"), shared)) {
      String roles = "ingest,enrich,persist,broadcast";
      GalopProcess a = nodes.start("a", roles, dialling);
      GalopProcess b = nodes.start("b", roles, dialling);
      Relays.awaitLinked(relay, "a", "b");
      Nodes.awaitReady(relay);
      boolean isOwnerA = owns(a);
      GalopProcess owner = isOwnerA ? a : b;
      GalopProcess other = isOwnerA ? b : a;
      awaitPassed(other);
      owner.freeze();
      try {
        assertHangs(other);
        assertSound(relay);
      } finally {
        owner.thaw();
      }
      awaitPassed(other);
      assertSound(relay);
      assertFalse(relay.text().contains("\tat io.galop"), relay.text());
    }
  }

  private static boolean owns(GalopProcess node) throws Exception {
    JsonObject status = new JsonObject(Stored.get(node.management("/status")).body());
    return status.getJsonObject("shards").getInteger("owned") == 1;
  }

  /** The publisher is named, and nobody else. */
  private static void assertHangs(GalopProcess node) throws Exception {
    JsonObject drill = drill(node);
    String why = "not acknowledged within " + WITHIN_MS + " ms";
    assertEquals(List.of(why), failures(drill, "why"), drill.encode());
    assertEquals(List.of("door"), failures(drill, "stage"));
    assertEquals("border unknown", states(drill));
    String status = Stored.get(node.management("/status")).body();
    assertTrue(status.contains(why + ": publishers may not get through"), status);
  }

  private static JsonObject drill(GalopProcess node) throws Exception {
    String at = "/drills?fault=none";
    return last(Stored.post(node.management(at), "application/json", "{}").body());
  }

  /** No drill has failed there. */
  private static void assertSound(GalopProcess relay) throws Exception {
    String metrics = Stored.get(relay.management("/metrics")).body();
    assertFalse(metrics.matches("(?s).*galop_drill_failed\\{[^}]*} 1.*"), metrics);
    assertFalse(relay.text().contains("drill: "), relay.text());
    String drills = Stored.get(relay.management("/drills")).body();
    JsonArray known = new JsonObject(drills).getJsonArray("drills");
    known.forEach(one -> assertTrue(((JsonObject) one).getBoolean("passed"), drills));
  }

  /** At the first one the front may have no viewers yet, or the relay no feed. */
  private static void awaitPassed(GalopProcess node) {
    Await.until(
        "all pass",
        120,
        () -> {
          JsonObject drill = drill(node);
          return drill.getBoolean("passed") && states(drill).equals("border passed");
        });
  }
}
