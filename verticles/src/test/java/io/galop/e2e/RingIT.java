package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ring.RingPublisher;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ring between processes, and {@code kill -9} of the one that reads it. */
@Timeout(180)
class RingIT {
  private static final int RECORDS_PER_LIFE = 20_000;
  private static final int KILLS = Boolean.getBoolean("galop.long") ? 10 : 2;

  @TempDir Path directory;

  private GalopProcess node() {
    return GalopProcess.run(
        directory.resolve("data"),
        List.of(),
        List.of("--set", "ingest.ring.paths=[" + file() + "]"));
  }

  private Path file() {
    return directory.resolve("galop.ring");
  }

  @Test
  void aKilledNodeGoesOnInTheRingAndStoresEachRecordOnce() throws Exception {
    GalopProcess node = node();
    try (RingPublisher ring = RingPublisher.open(file())) {
      for (int kill = 1; kill <= KILLS; kill++) {
        put(ring, kill * RECORDS_PER_LIFE - RECORDS_PER_LIFE / 2);
        node.kill();
        put(ring, Math.min(kill * RECORDS_PER_LIFE, (int) ring.offered() + 5_000));
        node = node();
      }
      awaitSettled(ring);
      assertEquals(0, ring.poll((number, reason, detail) -> {}, 10));
      node.close();
      assertEquals(stored((int) ring.offered()), stored());
    } finally {
      node.close();
    }
  }

  private static void put(RingPublisher ring, int upTo) throws InterruptedException {
    while (ring.offered() < upTo) {
      byte[] data = ("{\"v\":" + (ring.offered() + 1) + "}").getBytes(StandardCharsets.UTF_8);
      byte[] topic = ("ring/" + ring.offered() % 10).getBytes(StandardCharsets.UTF_8);
      while (!ring.offer(topic, new byte[0], RingPublisher.NO_TIME, data)) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  private static void awaitSettled(RingPublisher ring) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (ring.settled() < ring.offered() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertEquals(ring.offered(), ring.settled());
  }

  private static List<Integer> stored(int count) {
    return IntStream.rangeClosed(1, count).boxed().toList();
  }

  /** The values in the Log, in order; a value that is there twice is in the list twice. */
  private List<Integer> stored() throws InterruptedException {
    String data = directory.resolve("data").toString();
    return Cli.ok("log", "export", "--data-dir", data, "--filter", "ring/#")
        .lines()
        .filter(line -> line.startsWith("{"))
        .map(line -> new JsonObject(line).getJsonObject("data").getInteger("v"))
        .sorted()
        .toList();
  }

  @Test
  void theCommandPutsLinesInAndSaysWhatIsRefused() throws Exception {
    Path lines = directory.resolve("lines");
    Files.writeString(
        lines, "{\"bar\":1}\n[1]\n{\"bar\":\"" + "x".repeat(70_000) + "\"}\n{\"bar\":2}\n");
    try (GalopProcess node = node()) {
      Process command =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-jar",
                  System.getProperty("galop.jar", "target/galop.jar"),
                  "publish",
                  "plant/pump",
                  "--ring",
                  file().toString())
              .redirectErrorStream(true)
              .redirectInput(lines.toFile())
              .start();
      String said = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(1, command.waitFor(), said);
      assertEquals(
          new TreeSet<>(
              List.of(
                  "acknowledged 2", "line 2 rejected: malformed", "line 3 rejected: too_large")),
          new TreeSet<>(
              said.lines().map(line -> line.replaceFirst("(rejected: \\w+).*", "$1")).toList()),
          said + node.text());
    }
    Cli.Ended ended = Cli.run("publish", "a", "{}", "--ring", directory.resolve("no").toString());
    assertEquals(1, ended.code());
    assertTrue(ended.text().contains("no ring at " + directory.resolve("no")), ended.text());
  }
}
