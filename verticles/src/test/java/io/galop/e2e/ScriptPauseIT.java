package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that stands still while a script works: no call of the script is to blame. */
@Timeout(300)
class ScriptPauseIT {
  private static final int RECORDS = 60;
  private static final int FREEZES = 3;

  /** Calls that take most of the time, so that one is under way, and are far from their limit. */
  private static final String SLOW =
      """
      function enrich(record) {
        let n = 0
        for (let i = 0; i < 700000; i++) n += i % 7
        return { topic: 'done/x', data: { n: record.data.n, sum: n } }
      }
      """;

  /** Else a call takes seconds: longer than a script may. */
  private static final List<String> ALL_COMPILERS = List.of("-XX:TieredStopAtLevel=4");

  @TempDir Path directory;

  private GalopProcess node() throws Exception {
    Files.writeString(directory.resolve("slow.js"), SLOW);
    Path config = directory.resolve("galop.yaml");
    Files.writeString(
        config,
        """
        enrich:
          directory: '%s'
          chain:
            - script: {file: slow.js, topics: ["slow/#"], maxStatements: 100000000}
        """
            .formatted(directory));
    return GalopProcess.run(
        directory.resolve("data"), ALL_COMPILERS, List.of("--config", config.toString()));
  }

  @Test
  void noRecordBecomesADeadLetter() throws Exception {
    try (GalopProcess node = node()) {
      CompletableFuture<Void> published = CompletableFuture.runAsync(() -> publish(node));
      Await.until("the script works", 120, () -> !records(node, "done/%23").isEmpty());
      for (int i = 0; i < FREEZES; i++) {
        node.freeze();
        TimeUnit.SECONDS.sleep(2);
        node.thaw();
        TimeUnit.MILLISECONDS.sleep(300);
      }
      published.get(180, TimeUnit.SECONDS);
      Await.until("all are there", 120, () -> records(node, "done/%23").size() == RECORDS);
      assertEquals(List.of(), records(node, "$dead-letter/%23"), node::text);
    }
  }

  /** One after the other, so that the script works nearly all the time. */
  private static void publish(GalopProcess node) {
    try {
      for (int i = 0; i < RECORDS; i++) {
        var answer =
            Stored.post(node.http("/publish/slow/x"), "application/json", "{\"n\":" + i + "}");
        assertEquals(202, answer.statusCode(), answer.body());
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> records(GalopProcess node, String filter) throws Exception {
    return Stored.get(node.http("/history/" + filter + "?limit=1000")).body().lines().toList();
  }
}
