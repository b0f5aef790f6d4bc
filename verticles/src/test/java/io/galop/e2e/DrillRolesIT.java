package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.mutants.Mutant;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member of the cluster that has viewers and no door drills as all others do. */
@Timeout(400)
class DrillRolesIT {
  /** The mutant skips the record at offset 7, and each drill sends one at least. */
  private static final int SKIPPED_BY = 10;

  private static final List<String> SETTINGS =
      List.of(
          "--set",
          "node.shards=1",
          "--set",
          "drills.withinMs=20000",
          "--set",
          "broadcast.freshness=[{filter: $drill/+/silent, maxAgeMs: 1000}]");

  @TempDir Path directory;

  private static JsonObject drill(GalopProcess node, String fault) throws Exception {
    String path = "/drills?fault=" + fault;
    JsonObject answer =
        new JsonObject(Stored.post(node.management(path), "application/json", "{}").body());
    JsonArray drills = answer.getJsonArray("drills");
    assertTrue(drills != null && !drills.isEmpty(), answer.encode());
    return drills.getJsonObject(0);
  }

  /** A node that has just joined may be asked before all others know it. */
  private static void awaitPassed(GalopProcess node) {
    Await.until("a drill passes", 120, () -> drill(node, "none").getBoolean("passed"));
  }

  @Test
  void aNodeThatOnlyBroadcastsPlantsAllFaults() throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("a", "front"), SETTINGS)) {
      nodes.start("a", "ingest,enrich,persist");
      GalopProcess front = nodes.start("front", "broadcast");
      awaitPassed(front);
      for (String fault : List.of("doubled", "lost", "late", "silent", "refused")) {
        JsonObject drill = drill(front, fault);
        assertTrue(drill.getBoolean("passed") && drill.getBoolean("detected"), drill.encode());
        assertEquals(
            new JsonArray(List.of("websocket", "xhr", "events")),
            drill.getJsonArray("viewers"),
            drill.encode());
      }
    }
  }

  @Test
  void aNodeThatOnlyBroadcastsIsNamedByItself() throws Exception {
    Path root = Path.of(System.getProperty("galop.root"));
    String option =
        Mutant.of("skipped-record").option(root, System.getProperty("galop.jar"), directory);
    try (Nodes nodes = new Nodes(directory, List.of("a", "front"), SETTINGS)) {
      GalopProcess a = nodes.start("a", "ingest,enrich,persist");
      GalopProcess front = nodes.with(List.of(option)).start("front", "broadcast");
      JsonObject drill = drill(front, "none");
      for (int i = 0; i < SKIPPED_BY && drill.getBoolean("passed"); i++) {
        drill = drill(front, "none");
      }
      assertEquals(
          List.of("websocket", "xhr", "events"),
          drill.getJsonArray("failures").stream()
              .map(failure -> ((JsonObject) failure).getString("stage"))
              .toList(),
          drill.encode());
      String status = Stored.get(front.management("/status")).body();
      assertTrue(status.contains("viewers with a websocket may see nothing new"), status);
      JsonObject atOwner = drill(a, "none");
      assertTrue(atOwner.getBoolean("passed"), atOwner.encode());
    }
  }
}
