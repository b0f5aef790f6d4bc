package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of a node while it rolls up: its rows are those of its records. */
@Timeout(600)
class RollupsIT {
  private static final int KILLS = 2;
  private static final int PER_SECOND = 2_000;
  private static final int PER_KILL = 1_500;
  private static final String QUESTION = "/history/plant/%23?every=1s&fields=n";

  @TempDir Path directory;
  private final int door = Ports.free();

  private GalopProcess start() throws Exception {
    return GalopProcess.run(
        directory.resolve("data"),
        QuickStart.options(),
        List.of(
            "--set",
            "ingest.tcp.port=" + door,
            "--set",
            "persist.cold.batchBytes=16384",
            "--set",
            "persist.cold.rollups={topics: ['plant/#'], fields: [n], everySeconds: 1}"));
  }

  private static List<String> rows(GalopProcess node, String question) throws Exception {
    List<String> rows = new ArrayList<>();
    String next = "";
    do {
      var page = Stored.get(node.http(question + (next.isEmpty() ? "" : "&after=" + next)));
      assertEquals(200, page.statusCode(), page.body());
      page.body().lines().forEach(rows::add);
      next = page.headers().firstValue("X-Galop-Next").orElse("");
    } while (!next.isEmpty());
    return rows;
  }

  private static long count(List<String> rows) {
    return rows.stream()
        .map(row -> new JsonObject(row).getJsonObject("data").getJsonObject("n"))
        .mapToLong(n -> n.getLong("count"))
        .sum();
  }

  @Test
  void rowsAreThoseOfTheRecordsWhateverIsKilled() throws Exception {
    int lines;
    GalopProcess node = start();
    try (RetryingFeed feed = new RetryingFeed(door, PER_SECOND)) {
      for (int kill = 1; kill <= KILLS; kill++) {
        int enough = kill * PER_KILL;
        Await.until("records are acknowledged", 120, () -> feed.acknowledged() > enough);
        node.kill();
        node = start();
      }
      lines = feed.finish(120);
      Lag.awaitNone(node, List.of("embedded"), 120);
      List<String> rolled = rows(node, QUESTION);
      String metrics = Stored.get(node.management("/metrics")).body();
      assertTrue(metrics.contains("galop_history_rolled_total "), metrics);
      assertFalse(metrics.contains("galop_history_rolled_total 0.0"), "made of roll-ups");
      assertEquals(rows(node, QUESTION + ",none"), rolled);
      assertEquals(lines - (lines + 9) / 10, count(rolled), "one in ten is on another topic");
    } finally {
      node.close();
    }
  }
}
