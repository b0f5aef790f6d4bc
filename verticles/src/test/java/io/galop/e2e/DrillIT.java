package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.mutants.Mutant;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A drill finds what no counter of the broadcast node's own says: that it skips a record. */
@Timeout(180)
class DrillIT {
  /** The mutant skips the record at offset 7, and each drill sends one; refused ones too. */
  private static final int SKIPPED_BY = 10;

  private static final String MINUTES = "-Dgalop.ledger.minuteMs=2000";

  @TempDir Path directory;

  private static JsonObject drill(GalopProcess node, String fault) throws Exception {
    String path = "/drills?fault=" + fault;
    String answer = Stored.post(node.management(path), "application/json", "{}").body();
    return new JsonObject(answer).getJsonArray("drills").getJsonObject(0);
  }

  /** Asked for again and again: the Ledger counts a minute when it is over. */
  private static boolean isRefusedAndCounted(GalopProcess node) throws Exception {
    boolean isDetected = drill(node, "refused").getBoolean("detected");
    String metrics = Stored.get(node.management("/metrics")).body();
    return isDetected
        && metrics.matches("(?s).*galop_drill_detected_total\\{fault=\"counted\"} [1-9].*");
  }

  @Test
  void namesTheOwnerThatKnowsNoIdAgain() throws Exception {
    Path root = Path.of(System.getProperty("galop.root"));
    String option = Mutant.of("no-dedup").option(root, System.getProperty("galop.jar"), directory);
    List<String> settings = List.of("--set", "drills.withinMs=10000");
    try (GalopProcess node =
        GalopProcess.run(directory.resolve("data"), List.of(option), settings)) {
      JsonObject drill = drill(node, "doubled");
      assertEquals(
          List.of("owner"),
          drill.getJsonArray("failures").stream()
              .map(failure -> ((JsonObject) failure).getString("stage"))
              .toList(),
          drill.encode());
      assertTrue(drill.encode().contains("placed 2 times under one id"), drill.encode());
      String status = Stored.get(node.management("/status")).body();
      assertTrue(status.contains("a record that is sent again may be stored twice"), status);
    }
  }

  @Test
  void namesTheViewersOfANodeThatSkipsARecord() throws Exception {
    Path root = Path.of(System.getProperty("galop.root"));
    String option =
        Mutant.of("skipped-record").option(root, System.getProperty("galop.jar"), directory);
    List<String> settings = List.of("--set", "node.shards=1", "--set", "drills.withinMs=10000");
    try (GalopProcess node =
        GalopProcess.run(directory.resolve("data"), List.of(option, MINUTES), settings)) {
      JsonObject drill = drill(node, "none");
      assertTrue(drill.getBoolean("passed"), drill.encode());
      for (int i = 1; i < SKIPPED_BY && drill.getBoolean("passed"); i++) {
        drill = drill(node, "none");
      }
      assertEquals(
          List.of("websocket", "xhr", "events"),
          drill.getJsonArray("failures").stream()
              .map(failure -> ((JsonObject) failure).getString("stage"))
              .toList(),
          drill.encode());
      String status = Stored.get(node.management("/status")).body();
      assertTrue(status.contains("viewers with a websocket may see nothing new"), status);
      Await.until("a refused record is found and counted", 120, () -> isRefusedAndCounted(node));
    }
  }
}
