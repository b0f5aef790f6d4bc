package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a node while it archives: what was acknowledged is in the files once, as gzip
 * and Python find it.
 */
@Timeout(420)
class ArchiveIT {
  private static final int KILLS = 2;
  private static final int PER_SECOND = 2_000;
  private static final int PER_KILL = 1_500;

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
            ("persist.cold.stores=[{archive: {directory: '%s', topics: ['plant/#'], batchMs: 50,"
                    + " batchBytes: 16384, maxFileBytes: 8192, maxFileSeconds: 2}}]")
                .formatted(directory.resolve("archive"))));
  }

  /** The numbers of all lines, sorted, one a line; fails at a torn file. */
  private String archived() throws Exception {
    String program =
        "set -e; files=$(find '%s' -name '*.ndjson.gz'); gzip -t $files; zcat $files | python3 -c '"
            + "import json, sys; [print(n) for n in"
            + " sorted(json.loads(line)[\"data\"][\"n\"] for line in sys.stdin)]'";
    Process process =
        new ProcessBuilder("sh", "-c", program.formatted(directory.resolve("archive")))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), output);
    return output;
  }

  /** One line in ten of the feed is on another topic. */
  private static String expected(int below) {
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < below; n++) {
      if (n % 10 != 0) {
        lines.append(n).append('\n');
      }
    }
    return lines.toString();
  }

  @Test
  void whatWasAcknowledgedIsInTheFilesOnceWhateverIsKilled() throws Exception {
    int lines;
    GalopProcess node = start();
    try (RetryingFeed feed = new RetryingFeed(door, PER_SECOND)) {
      for (int kill = 1; kill <= KILLS; kill++) {
        int enough = kill * PER_KILL;
        Await.until("records are acknowledged", 60, () -> feed.acknowledged() > enough);
        node.kill();
        node = start();
      }
      lines = feed.finish(60);
      Lag.awaitNone(node, List.of("archive"), 60);
    } finally {
      node.close();
    }
    assertEquals(expected(lines), archived());
  }
}
