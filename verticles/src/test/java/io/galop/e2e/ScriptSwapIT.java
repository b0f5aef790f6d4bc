package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script of a node is changed at 5,000 records a second, and one that was wrong is mended. */
@Timeout(400)
class ScriptSwapIT {
  private static final boolean LONG = Boolean.getBoolean("galop.long");
  private static final int PER_SECOND = Integer.getInteger("galop.swap.rate", 5_000);
  private static final int SECONDS = LONG ? 20 : 3;
  private static final Pattern PROMOTED = Pattern.compile("promoted: compared on \\d+ records");
  @TempDir Path directory;

  private static String script(int version) {
    return """
    function enrich(record, state) {
      state.n = (state.n || 0) + 1
      record.data.n = state.n
      record.data.kmh = record.data.speed * 3.6
      record.data.version = %d
      return record
    }
    """
        .formatted(version);
  }

  private GalopProcess node(String topics) throws Exception {
    Path config = directory.resolve("galop.yaml");
    Files.writeString(
        config,
        """
        persist: {cold: {every: 1}}
        enrich:
          directory: '%s'
          chain:
            - script:
                file: rule.js
                topics: ["%s"]
                timeLimitMs: 20000
                shadow: {seconds: %d, maxCostRatio: 1000}
        """
            .formatted(directory, topics, SECONDS));
    return GalopProcess.run(
        directory.resolve("data"), List.of(), List.of("--config", config.toString()));
  }

  private static JsonObject candidate(GalopProcess node) throws Exception {
    JsonObject script =
        new JsonObject(Stored.get(node.management("/scripts")).body())
            .getJsonArray("scripts")
            .getJsonObject(0);
    return script.getJsonObject("candidate", new JsonObject());
  }

  @Test
  void aSwapLosesNothingAndShowsNothingTwice() throws Exception {
    Files.writeString(directory.resolve("rule.js"), script(1));
    try (GalopProcess node = node("swap/#");
        SwapFeed feed = new SwapFeed(node, PER_SECOND)) {
      long started = System.nanoTime();
      TimeUnit.SECONDS.sleep(LONG ? 15 : 3);
      long began = System.nanoTime();
      TimeUnit.SECONDS.sleep(SECONDS);
      long changed = System.nanoTime();
      Path next = Files.writeString(directory.resolve("next.js"), script(2));
      Files.move(
          next, directory.resolve("rule.js"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      Await.until("the decision", 120, () -> candidate(node).containsKey("decidedMs"));
      TimeUnit.SECONDS.sleep(1);
      long swapped = System.nanoTime();
      TimeUnit.SECONDS.sleep(LONG ? SECONDS : 1);
      Await.until("all topics go through it", 120, () -> isUsedByAll(feed));
      long sent = feed.stop();
      long stopped = System.nanoTime();
      JsonObject decided = candidate(node);
      assertEquals("promoted", decided.getString("phase"), decided.encodePrettily());
      Await.until("all are acknowledged", 120, () -> feed.acknowledged() == sent);
      Await.until("all are seen", 120, () -> feed.seen().size() >= sent);
      assertEachOnceAndInOrder(feed.seen(), sent);
      Await.until("all are stored", 120, () -> Stored.count(directory.resolve("data")) >= sent);
      assertEquals(sent, Stored.count(directory.resolve("data")));
      System.out.printf(
          Locale.ROOT,
          "swap at %.0f records/s (%d wanted): p99 %.1f ms before, %.1f ms from the change to 1 s"
              + " behind the swap, %.1f ms after; %d records, 0 lost, 0 twice; compared %d, not"
              + " compared %d%n",
          sent * 1e9 / (stopped - started),
          PER_SECOND,
          feed.p99Ms(began, changed),
          feed.p99Ms(changed, swapped),
          feed.p99Ms(swapped, Long.MAX_VALUE),
          sent,
          decided.getLong("compared"),
          decided.getLong("notCompared"));
    }
  }

  private static boolean isUsedByAll(SwapFeed feed) {
    return feed.seen().stream()
            .filter(one -> one.data().getInteger("version") == 2)
            .map(SwapFeed.Sight::topic)
            .distinct()
            .count()
        == SwapFeed.TOPICS;
  }

  /** By ids, and by the numbers that the script's state has counted, over the swap. */
  private static void assertEachOnceAndInOrder(List<SwapFeed.Sight> seen, long sent) {
    assertEquals(sent, seen.stream().map(SwapFeed.Sight::id).distinct().count());
    assertEquals(sent, seen.size());
    Map<String, List<JsonObject>> byTopic =
        seen.stream()
            .collect(
                Collectors.groupingBy(
                    SwapFeed.Sight::topic,
                    TreeMap::new,
                    Collectors.mapping(SwapFeed.Sight::data, Collectors.toList())));
    assertEquals(SwapFeed.TOPICS, byTopic.size());
    byTopic.forEach(
        (topic, data) -> {
          for (int i = 0; i < data.size(); i++) {
            assertEquals(i + 1, data.get(i).getInteger("n"), topic + ": " + data.get(i));
          }
          assertEquals(1, data.get(0).getInteger("version"), topic);
          assertEquals(2, data.get(data.size() - 1).getInteger("version"), topic);
        });
  }

  @Test
  void whatABrokenScriptLeftIsDrivenAgainBehindAMendedOne() throws Exception {
    Files.writeString(
        directory.resolve("rule.js"),
        "function enrich(record) { if (record.data.speed > 2) throw new Error('too fast'); return"
            + " record }");
    try (GalopProcess node = node("car/#")) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 6; i++) {
        lines.append(
            "{\"topic\":\"car/1\",\"id\":\"c%d\",\"data\":{\"speed\":%d}}\n".formatted(i, i));
      }
      var answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines.toString());
      assertEquals(202, answer.statusCode(), answer.body());
      Path mended = Files.createDirectory(directory.resolve("mended")).resolve("rule.js");
      Files.writeString(
          mended,
          "function enrich(record) { record.data.kmh = record.data.speed * 3.6; return record }");
      String management = "http://" + node.address("management");
      Cli.Ended quiet =
          Cli.run("script", "deploy", mended.toString(), "--no-wait", "--url", management);
      assertEquals(0, quiet.code(), quiet.text());
      Await.until(
          "the mended one runs beside it",
          120,
          () -> {
            Stored.post(node.http("/publish/car/2"), "application/json", "{\"speed\":1}");
            return "promoted".equals(candidate(node).getString("phase"));
          });
      String status = Cli.ok("script", "status", "--url", management);
      assertTrue(PROMOTED.matcher(status).find(), status);
      String url = "http://" + node.address("http");
      String redriven = Cli.ok("dead-letter", "redrive", "--script", "rule", "--url", url);
      assertTrue(redriven.contains("acknowledged 3 of 3"), redriven);
      List<String> car = Stored.get(node.http("/history/car/1?limit=100")).body().lines().toList();
      assertEquals(6, car.size(), car.toString());
      assertEquals(3, car.stream().filter(line -> line.contains("kmh")).count(), car.toString());
      assertEquals(
          Files.readString(mended),
          Files.readString(directory.resolve("rule.js")),
          "for the next start");
    }
  }
}
