package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script does the worst that it can while records of other topics of the same shards go by. */
@Tag("alone")
@Timeout(300)
class ScriptContainmentIT {
  private static final boolean LONG = Boolean.getBoolean("galop.long");
  private static final int PER_SECOND = 2_000;
  private static final int SECONDS = LONG ? 20 : 3;
  private static final int RECORDS_OF_A_KIND = LONG ? 200 : 20;

  /** Three such calls suspend the script, one after the other. */
  private static final int TIME_LIMIT_MS = 1_500;

  /** More than come while it is not suspended, as some are acknowledged when it is. */
  private static final int MOST_IN_FLIGHT = 10 * PER_SECOND;

  private static final List<String> KINDS = List.of("throw", "huge", "many", "loop", "memory");
  private static final String BAD =
      """
      function enrich(record) {
        switch (record.data.kind) {
          case 'throw': throw new Error('thrown')
          case 'huge': return { data: { text: 'x'.repeat(1000000) } }
          case 'many': return Array(5000).fill(record)
          case 'loop': while (true) { }
          case 'memory': for (const kept = []; ;) kept.push(new Array(1000).fill(1))
        }
        return record
      }
      """;
  private static final String MENDED =
      "function enrich(record) { record.data.mended = true; return record }";
  @TempDir Path directory;

  private GalopProcess node() throws Exception {
    Files.writeString(directory.resolve("rule.js"), BAD);
    Path config = directory.resolve("galop.yaml");
    Files.writeString(
        config,
        """
        enrich:
          directory: '%s'
          chain:
            - script:
                file: rule.js
                topics: ["bad/#"]
                maxStatements: 10000000000
                timeLimitMs: %d
                breaker: {hits: 3, backOffMs: 60000}
                shadow: {seconds: 0}
        """
            .formatted(directory, TIME_LIMIT_MS));
    return GalopProcess.run(
        directory.resolve("data"), List.of(), List.of("--config", config.toString()));
  }

  /** Each on a topic of its own, so that they are spread over the shards of the others. */
  private static int publish(GalopProcess node, String kind) throws Exception {
    String lines =
        IntStream.range(0, RECORDS_OF_A_KIND)
            .mapToObj(
                i ->
                    "{\"topic\":\"bad/%2$d\",\"id\":\"%1$s%2$d\",\"data\":{\"kind\":\"%1$s\"}}"
                        .formatted(kind, i))
            .collect(Collectors.joining("\n"));
    var answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines);
    assertEquals(202, answer.statusCode(), answer.body());
    return new JsonObject(answer.body()).getInteger("accepted");
  }

  /** The topics of the others of which nothing was sent and seen well within the calls till now. */
  private static List<String> waited(SwapFeed feed, long from) {
    long quarter = (System.nanoTime() - from) / 4;
    Set<String> passed =
        feed.seen().stream()
            .filter(one -> one.atNanos() - one.tookNanos() > from + quarter)
            .filter(one -> one.atNanos() < from + 3 * quarter)
            .map(SwapFeed.Sight::topic)
            .collect(Collectors.toSet());
    return IntStream.range(0, SwapFeed.TOPICS)
        .mapToObj(i -> "swap/" + i)
        .filter(topic -> !passed.contains(topic))
        .toList();
  }

  @Test
  void theOthersGoOnAndWhatIsLeftIsDrivenAgain() throws Exception {
    try (GalopProcess node = node();
        SwapFeed feed = new SwapFeed(node, PER_SECOND, MOST_IN_FLIGHT)) {
      TimeUnit.SECONDS.sleep(LONG ? 15 : 2);
      long began = System.nanoTime();
      TimeUnit.SECONDS.sleep(SECONDS);
      long bad = System.nanoTime();
      int published = 0;
      for (String kind : KINDS) {
        long from = System.nanoTime();
        published += publish(node, kind);
        assertEquals(List.of(), kind.equals("loop") ? waited(feed, from) : List.of());
      }
      String management = "http://" + node.address("management");
      Cli.Ended status = Cli.run("script", "status", "--url", management);
      assertEquals(1, status.code(), status.text());
      assertTrue(status.text().contains("SUSPENDED on"), status.text());
      long suspended = System.nanoTime();
      TimeUnit.SECONDS.sleep(SECONDS);
      long sent = feed.stop();
      Await.until("all others are acknowledged", 120, () -> feed.acknowledged() == sent);
      Await.until("all others are seen", 120, () -> feed.seen().size() >= sent);
      assertEquals(sent, feed.seen().size());
      assertEquals(sent, feed.seen().stream().map(SwapFeed.Sight::id).distinct().count());
      System.out.printf(
          Locale.ROOT,
          "beside a script that misbehaves: p99 of the others %.1f ms before, %.1f ms until it is"
              + " suspended, %.1f ms afterwards; %d records, 0 lost, 0 twice%n",
          feed.p99Ms(began, bad),
          feed.p99Ms(bad, suspended),
          feed.p99Ms(suspended, Long.MAX_VALUE),
          sent);
      assertEquals(KINDS.size() * RECORDS_OF_A_KIND, published);
      redrive(node, published);
    }
  }

  private void redrive(GalopProcess node, int published) throws Exception {
    Path mended = Files.createDirectory(directory.resolve("mended")).resolve("rule.js");
    Files.writeString(mended, MENDED);
    String management = "http://" + node.address("management");
    Cli.ok("script", "deploy", mended.toString(), "--url", management);
    String url = "http://" + node.address("http");
    String redriven = Cli.ok("dead-letter", "redrive", "--script", "rule", "--url", url);
    assertTrue(redriven.contains("acknowledged %1$d of %1$d".formatted(published)), redriven);
    List<String> stored =
        Stored.get(node.http("/history/bad/+?limit=10000")).body().lines().toList();
    assertEquals(published, stored.size());
    assertTrue(stored.stream().allMatch(line -> line.contains("\"mended\":true")));
  }
}
