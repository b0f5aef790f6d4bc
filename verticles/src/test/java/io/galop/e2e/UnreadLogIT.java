package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nobody reads what a node says, as after Ctrl-S in its terminal. */
@Timeout(240)
class UnreadLogIT {
  @TempDir Path directory;
  private Path pipe;

  /** Keeps it open for reading, so that it blocks whoever writes once it is full. */
  private RandomAccessFile reader;

  @BeforeEach
  void open() throws Exception {
    pipe = directory.resolve("log");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    reader = new RandomAccessFile(pipe.toFile(), "rw");
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
  }

  private GalopProcess node(List<String> jvm, List<String> args) {
    String line = "exec \"$@\" 2> '" + pipe + "'";
    return GalopProcess.runBy(line, directory.resolve("data"), jvm, args);
  }

  /** From now on there is no room for a line. */
  private void fill() throws Exception {
    String zeros = "LC_ALL=C dd if=/dev/zero of='%s' bs=1 count=4000000 oflag=nonblock";
    Process filling =
        new ProcessBuilder("sh", "-c", zeros.formatted(pipe)).redirectErrorStream(true).start();
    String said = new String(filling.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, filling.waitFor(), said);
    assertTrue(said.contains("temporarily unavailable"), said);
  }

  /** It finds that it stood still, which it says on the event loop of the feed. */
  private static void complain(GalopProcess node) throws InterruptedException {
    node.freeze();
    Thread.sleep(4_500);
    node.thaw();
    Thread.sleep(1_000);
  }

  private static String get(URI uri) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static void works(GalopProcess node, int number) throws Exception {
    String record = "{\"id\":\"%d\",\"topic\":\"a/x\",\"data\":{\"n\":%1$d}}".formatted(number);
    var answer = Stored.post(node.http("/publish"), "application/json", record);
    assertEquals(202, answer.statusCode(), answer.body());
    String history = get(node.http("/history/a/x"));
    assertTrue(history.contains("\"n\":" + number), history);
    assertTrue(get(node.management("/health/ready")).contains("\"ready\":true"));
  }

  private static double metric(GalopProcess node, String name) throws Exception {
    return get(node.management("/metrics"))
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }

  private void awaitInLog(String text) throws IOException {
    StringBuilder log = new StringBuilder();
    byte[] some = new byte[4096];
    while (log.indexOf(text) < 0) {
      int count = reader.read(some);
      log.append(new String(some, 0, count, StandardCharsets.UTF_8));
    }
  }

  @Test
  void aNodeGoesOnAndSaysItWhenSomebodyReads() throws Exception {
    try (GalopProcess node = node(List.of(), List.of())) {
      fill();
      complain(node);
      works(node, 1);
      assertTrue(metric(node, "galop_log_waiting_lines") >= 1);
      String warning = " wait, since nobody reads standard error";
      while (!get(node.management("/health/ready")).contains(warning)) {
        Thread.sleep(100);
      }
      awaitInLog("browsers are told that the feed is stale");
      works(node, 2);
      fill();
      complain(node);
      works(node, 3);
      node.terminate();
      assertEquals(0, node.awaitExit(60), node.text());
    }
  }

  @Test
  void aNodeWhoseMemoryIsGoneEndsAllTheSame() throws Exception {
    Path program = directory.resolve("keeps.js");
    String keeps =
        """
        const kept = []
        function start() {
          galop.consume('keep/#', () => {
            galop.every(5, () => { kept.push(new Float64Array(131072)) })
          })
        }
        """;
    Files.writeString(program, keeps);
    List<String> args = List.of("--set", "verticles=[{name: 'js:" + program + "'}]");
    try (GalopProcess node = node(List.of("-Xmx256m"), args)) {
      fill();
      String record = "{\"topic\":\"keep/x\",\"data\":{}}";
      assertEquals(
          202, Stored.post(node.http("/publish"), "application/json", record).statusCode());
      assertEquals(3, node.awaitExit(120), node.text());
    }
  }
}
