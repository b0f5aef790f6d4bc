package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.mutants.Mutant;
import io.galop.servers.Ports;
import io.galop.servers.StoreProxy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A drill of a node inside is watched by the relays: who skips a record is named, nobody else. */
@Timeout(420)
class RelayDrillIT {
  /** The mutant skips the record at offset 7, and each drill sends one. */
  private static final int SKIPPED_BY = 10;

  private static final String INSIDE = "ingest,enrich,persist";

  @TempDir static Path keys;
  @TempDir Path directory;
  private static Relays relays;
  private int started;

  @BeforeAll
  static void sign() throws Exception {
    relays = Relays.signedIn(keys);
  }

  private GalopProcess node(String name, List<String> jvm, List<String> more) {
    List<String> args = new ArrayList<>(more);
    args.addAll(List.of("--set", "node.name=" + name, "--set", "node.shards=1"));
    args.addAll(List.of("--set", "drills.withinMs=10000"));
    return GalopProcess.run(directory.resolve(name + started++), jvm, args);
  }

  private GalopProcess relay(String name, int port, List<String> jvm, String... more) {
    List<String> args = new ArrayList<>(relays.relay("127.0.0.1", port));
    args.addAll(List.of(more));
    return node(name, jvm, args);
  }

  private GalopProcess inside(String roles, String... dialling) {
    List<String> args = new ArrayList<>(List.of("--roles", roles));
    args.addAll(List.of(dialling));
    return node("inside", List.of(), args);
  }

  private static JsonObject drill(GalopProcess node, String fault) throws Exception {
    String path = "/drills?fault=" + fault;
    String answer = Stored.post(node.management(path), "application/json", "{}").body();
    return new JsonObject(answer).getJsonArray("drills").getJsonObject(0);
  }

  private static JsonArray drills(GalopProcess node) throws Exception {
    String answer = Stored.get(node.management("/drills")).body();
    return new JsonObject(answer).getJsonArray("drills");
  }

  private static String states(JsonObject drill) {
    return drill.getJsonArray("relays").stream()
        .map(JsonObject.class::cast)
        .map(relay -> relay.getString("node") + " " + relay.getString("state"))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static List<String> stages(JsonObject drill) {
    return drill.getJsonArray("failures").stream()
        .map(failure -> ((JsonObject) failure).getString("stage"))
        .toList();
  }

  private static String get(GalopProcess node, String path) throws Exception {
    return Stored.get(node.management(path)).body();
  }

  /** The record is skipped once: if the relay knows nothing of that drill, all begins anew. */
  @Test
  void namesTheRelayThatSkipsARecord() throws Exception {
    int most = 3;
    int n = 1;
    while (!isNamed(Files.createDirectories(directory.resolve("mutant" + n)))) {
      assertTrue(n++ < most, "the link was silent in each of " + most + " attempts");
    }
  }

  private boolean isNamed(Path mutant) throws Exception {
    int port = Ports.free();
    Path root = Path.of(System.getProperty("galop.root"));
    String option =
        Mutant.of("skipped-record").option(root, System.getProperty("galop.jar"), mutant);
    try (GalopProcess relay = relay("border", port, List.of(option));
        GalopProcess inside = inside(INSIDE, relays.dialling(port))) {
      Relays.awaitLinked(relay, "inside");
      Nodes.awaitReady(relay);
      JsonObject drill = drill(inside, "none");
      if (!isKnown(drill)) {
        return false;
      }
      assertTrue(drill.getBoolean("passed"), drill.encode());
      JsonObject lost = drill(inside, "lost"); // there are no other viewers to find it
      if (!isKnown(lost)) {
        return false;
      }
      assertTrue(lost.getBoolean("passed") && lost.getBoolean("detected"), lost.encode());
      for (int i = 1; i < SKIPPED_BY && drill.getBoolean("passed"); i++) {
        drill = drill(inside, "none");
        if (!isKnown(drill)) {
          return false;
        }
      }
      assertEquals(List.of("relay"), stages(drill), drill.encode());
      assertEquals("border failed", states(drill));
      String why = drill.getJsonArray("failures").getJsonObject(0).getString("why");
      assertTrue(why.contains("relay border at localhost:" + port), why);
      assertTrue(why.endsWith("(websocket, xhr, events)"), why);
      assertTrue(get(inside, "/status").contains("viewers of the relay may see nothing new"));
      assertTrue(get(inside, "/metrics").contains("galop_drill_failed{stage=\"relay\"} 1"));
      assertTrue(get(inside, "/metrics").contains("galop_drill_relays{state=\"failed\"} 1"));
      JsonObject own = drills(relay).getJsonObject(0);
      assertEquals(List.of("websocket", "xhr", "events"), stages(own), own.encode());
      assertTrue(get(relay, "/status").contains("viewers with a websocket may see nothing new"));
      assertTrue(get(relay, "/metrics").contains("galop_drill_failed{stage=\"websocket\"} 1"));
      passes(inside, "none", "border passed");
      assertTrue(get(relay, "/metrics").contains("galop_drill_failed{stage=\"websocket\"} 0"));
      return true;
    }
  }

  @Test
  void soundRelaysPassAndACutLinkIsNoFailure() throws Exception {
    int port = Ports.free();
    int leafPort = Ports.free();
    int mutePort = Ports.free();
    try (StoreProxy link = new StoreProxy(port);
        GalopProcess leaf =
            relay("leaf", leafPort, List.of(), "--set", "broadcast.interest=watched");
        GalopProcess mute = relay("mute", mutePort, List.of());
        GalopProcess border = relay("border", port, List.of(), relays.dialling(leafPort));
        GalopProcess inside = inside(INSIDE + ",broadcast", asked(link.port(), mutePort))) {
      List<GalopProcess> all = List.of(border, leaf, mute);
      for (GalopProcess relay : all) {
        Nodes.awaitReady(relay);
      }
      passes(inside, "none", "border passed, leaf passed, mute told");
      passes(inside, "late", "border passed, leaf passed, mute told");
      passes(inside, "lost", "border passed, leaf passed, mute told");
      for (GalopProcess relay : all) {
        assertTrue(drills(relay).size() >= 3, drills(relay).encode());
        String none = "galop_drill_detected_total{fault=\"lost\"} 0";
        assertFalse(get(relay, "/metrics").contains(none), none);
      }
      link.cut(true);
      Await.until("the link is missed", 120, () -> !Nodes.isReady(border));
      passes(inside, "none", "border unknown, mute told");
      link.pass();
      Nodes.awaitReady(border);
      Nodes.awaitReady(leaf);
      link.blackHole();
      passes(inside, "none", "border unknown, mute told");
      link.pass();
      Await.until(
          "all watch again",
          120,
          () -> states(drill(inside, "none")).equals("border passed, leaf passed, mute told"));
      for (GalopProcess relay : all) {
        assertFalse(get(relay, "/metrics").matches("(?s).*galop_drill_failed\\{[^}]*} 1.*"));
        assertFalse(relay.text().contains("drill: "), relay.text());
        assertFalse(relay.text().contains("\tat io.galop"), relay.text());
      }
    }
  }

  /** Where a link is silent for half a second, as on a machine that stands still, once more. */
  private static void passes(GalopProcess node, String fault, String states) {
    Await.until(
        fault + " is " + states,
        120,
        () -> {
          JsonObject drill = drill(node, fault);
          assertTrue(drill.getBoolean("passed"), drill.encode());
          assertEquals(!fault.equals("none"), drill.getBoolean("detected"), drill.encode());
          return states(drill).equals(states);
        });
  }

  private static boolean isKnown(JsonObject drill) {
    return !states(drill).contains("unknown"); // else a link was silent meanwhile
  }

  /** The second one may not ask, and is not asked. */
  private String[] asked(int port, int mutePort) {
    String[] set = relays.dialling(port, mutePort);
    String mute = "port: " + mutePort + ",";
    return new String[] {set[0], set[1].replace(mute, mute + " questions: false,")};
  }
}
