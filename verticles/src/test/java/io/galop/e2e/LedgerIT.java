package io.galop.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.mutants.Mutant;
import io.galop.record.Topic;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where records are lost or doubled the Ledger names the stage; where they are not it names none.
 * Its minutes are of four seconds here.
 */
@Timeout(420)
class LedgerIT {
  private static final int PATIENCE_SECONDS = 120;
  private static final int LINES = 500;
  private static final long MINUTE_MS = 4_000;
  private static final String MINUTES = "-Dgalop.ledger.minuteMs=" + MINUTE_MS;
  private static final String ONE_TOPIC = "raw/1";
  private static final int SHARDS = 16;
  private static final int MOST_ROUNDS = 8;
  private static final String SCRIPT =
      """
      function enrich(r) {
        if (r.data.n % 50 == 2) throw new Error('bad');
        return r.data.n % 10 == 4 ? null : r.data.n % 10 == 6 ? [r, r] : r;
      }
      """;

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path directory;

  private GalopProcess start(List<String> jvm, String... more) throws Exception {
    Files.writeString(directory.resolve("s.js"), SCRIPT);
    List<String> options = new ArrayList<>(jvm);
    options.add(MINUTES);
    List<String> sets =
        List.of(
            "enrich.chain=[{script: {topics: [raw/+], file: s.js}}]",
            "enrich.directory=" + directory,
            "node.shards=" + SHARDS,
            "persist.cold.every=3");
    List<String> args = new ArrayList<>();
    sets.forEach(set -> args.addAll(List.of("--set", set)));
    List.of(more).forEach(set -> args.addAll(List.of("--set", set)));
    return GalopProcess.run(directory.resolve("data"), options, args);
  }

  /** Which shard is to be named: all records are on one topic. */
  private static void publishOnOneTopic(GalopProcess node, int round) throws Exception {
    String lines =
        IntStream.range(0, LINES)
            .mapToObj(
                n ->
                    "{\"topic\":\"%s\",\"data\":{\"n\":1},\"id\":\"%d\"}"
                        .formatted(ONE_TOPIC, round * LINES + n))
            .collect(Collectors.joining("\n", "", "\n"));
    var answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines);
    assertEquals(202, answer.statusCode(), answer.body());
  }

  /** Of some ids two. */
  private static void publish(GalopProcess node, int round) throws Exception {
    String lines =
        IntStream.range(0, LINES)
            .mapToObj(
                n ->
                    "{\"topic\":\"%s/%d\",\"data\":{\"n\":%d},\"id\":\"%d\"}"
                        .formatted(
                            n % 2 == 0 ? "raw" : "t", n % 20, n, round * LINES + n / 20 * 19))
            .collect(Collectors.joining("\n", "", "\n"));
    var answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines);
    assertEquals(202, answer.statusCode(), answer.body());
  }

  private static JsonObject json(GalopProcess node, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(node.management(path)).build();
    return new JsonObject(HTTP.send(request, BodyHandlers.ofString()).body());
  }

  private static List<JsonObject> minutes(GalopProcess node) throws Exception {
    JsonArray all = json(node, "/ledger").getJsonArray("minutes");
    return IntStream.range(0, all.size()).mapToObj(all::getJsonObject).toList();
  }

  private static Set<String> unbalanced(GalopProcess node) throws Exception {
    Set<String> stages = new TreeSet<>();
    for (JsonObject minute : minutes(node)) {
      JsonObject counts = minute.getJsonObject("stages");
      for (String stage : counts.fieldNames()) {
        JsonObject one = counts.getJsonObject(stage);
        if (minute.getLong("residual") > 0 && one.containsKey("shards")) {
          String direction = one.getJsonArray("shards").getJsonObject(0).getString("direction");
          stages.add(stage + " " + direction);
        }
      }
    }
    return stages;
  }

  private static long sum(GalopProcess node, String stage, String column) throws Exception {
    long sum = 0;
    for (JsonObject minute : minutes(node)) {
      JsonObject counts = minute.getJsonObject("stages").getJsonObject(stage);
      sum += counts == null || !minute.getBoolean("settled") ? 0 : counts.getLong(column);
    }
    return sum;
  }

  @Test
  void balancesOverLoadAndARestart() throws Exception {
    for (int start = 0; start < 2; start++) {
      try (GalopProcess node = start(List.of())) {
        Await.until("the start is told", PATIENCE_SECONDS, () -> !minutes(node).isEmpty());
        for (int round = 0; round < 20; round++) {
          publish(node, start * 100 + round / 2);
        }
        for (String stage : List.of("door", "enrich", "owner", "feed", "store embedded")) {
          String column = columnOf(stage);
          Await.until(
              stage + " has counted", PATIENCE_SECONDS, () -> sum(node, stage, column) >= LINES);
        }
        Await.until(
            "all that the doors took is told",
            PATIENCE_SECONDS,
            () -> sum(node, "door", "accepted") == 20 * LINES);
        assertEquals(Set.of(), unbalanced(node));
        for (String column : List.of("derived", "dropped", "deadLetters", "duplicates")) {
          assertTrue(sum(node, "enrich", column) > 0, column);
        }
        assertTrue(sum(node, "store embedded", "heldBack") > 0);
        assertEquals(sum(node, "owner", "placed"), sum(node, "owner", "logged"));
      }
    }
  }

  @Test
  void aDoorTellsWhyItRejected() throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest("secret".getBytes(UTF_8));
    String slow =
        "ingest.publishers=[{name: slow, tokenSha256: %s, topics: [slow], maxRecordsPerSecond: 1}]"
            .formatted(HexFormat.of().formatHex(hash));
    try (GalopProcess node = start(List.of(), slow)) {
      Await.until("the start is told", PATIENCE_SECONDS, () -> !minutes(node).isEmpty());
      String line = "{\"topic\":\"%s\",\"data\":{\"n\":1}}\n";
      String lines = line.formatted("slow").repeat(20) + line.formatted("other").repeat(5);
      HttpRequest request =
          HttpRequest.newBuilder(node.http("/publish"))
              .header("Authorization", "Bearer secret")
              .header("Content-Type", "application/x-ndjson")
              .POST(HttpRequest.BodyPublishers.ofString(lines))
              .build();
      String answer = HTTP.send(request, BodyHandlers.ofString()).body();
      long accepted = new JsonObject(answer).getLong("accepted");
      assertTrue(accepted > 0 && accepted < 20, answer);
      Await.until(
          "the door's minute is told", PATIENCE_SECONDS, () -> sum(node, "door", "taken") == 25);
      assertEquals(accepted, sum(node, "door", "accepted"));
      assertEquals(25 - accepted, sum(node, "door", "rejected"));
      assertEquals(5, sum(node, "door", "rejectedTopicNotAllowed"));
      assertEquals(20 - accepted, sum(node, "door", "rejectedOverQuota"));
      assertEquals(0, sum(node, "door", "rejectedUnavailable"));
      assertEquals(Set.of(), unbalanced(node));
    }
  }

  private static String columnOf(String stage) {
    return switch (stage) {
      case "door" -> "taken";
      case "enrich" -> "in";
      case "owner" -> "placed";
      case "feed" -> "sent";
      default -> "read";
    };
  }

  @Test
  void anyNodeNamesTheNodeOfAFault() throws Exception {
    Path root = Path.of(System.getProperty("galop.root"));
    String broken =
        Mutant.of("not-logged").option(root, System.getProperty("galop.jar"), directory);
    List<String> shared = List.of("--set", "cluster.maxSilenceSeconds=15");
    try (Nodes nodes = new Nodes(directory, List.of("a", "front"), shared)) {
      GalopProcess owner = nodes.with(List.of(MINUTES, broken)).start("a", "ingest,enrich,persist");
      GalopProcess front = nodes.with(List.of(MINUTES)).start("front", "broadcast");
      int[] round = {0};
      Await.until(
          "the Ledger of another node names it",
          PATIENCE_SECONDS,
          () -> {
            publish(owner, round[0]++);
            return !unbalanced(front).isEmpty();
          });
      assertEquals(Set.of("owner lost"), unbalanced(front));
      String url = "http://" + front.address("management");
      Cli.Ended shown = Cli.run("ledger", "--url", url);
      assertEquals(1, shown.code(), shown.text());
      assertTrue(shown.text().contains(" lost by a in shard "), shown.text());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "skipped-record,feed lost",
    "swallowed-batch,cursor embedded lost+store embedded lost",
    "doubled-at-door,door doubled",
    "lost-in-script,enrich lost",
    "not-logged,owner lost",
    "early-ack,log lost",
    "no-fsync,log lost",
    "unforced,log lost",
    "early-cursor,cursor embedded lost"
  })
  void namesTheStageShardAndMinuteOfAFault(String fault, String named) throws Exception {
    Path root = Path.of(System.getProperty("galop.root"));
    String broken = Mutant.of(fault).option(root, System.getProperty("galop.jar"), directory);
    try (GalopProcess node = start(List.of(broken))) {
      Await.until("the start is told", PATIENCE_SECONDS, () -> !minutes(node).isEmpty());
      long beganMs = 0;
      long endedMs = 0;
      for (int round = 0; unbalanced(node).isEmpty(); round++) {
        assertTrue(round < MOST_ROUNDS, "the Ledger names nothing: " + json(node, "/ledger"));
        beganMs = System.currentTimeMillis();
        publishOnOneTopic(node, round);
        endedMs = System.currentTimeMillis();
        awaitTold(node, endedMs);
      }
      Await.until(named, PATIENCE_SECONDS, () -> isNamed(node, named));
      List<JsonObject> wrong = wrong(node);
      for (Object shard : shards(wrong)) {
        int number = ((JsonObject) shard).getInteger("shard");
        assertEquals(Topic.shard(ONE_TOPIC, SHARDS), number, wrong::toString);
      }
      // What is behind the Log is not done when the door answers.
      boolean mayBeLater = named.matches("(feed|store|cursor) .*");
      long lastMs = mayBeLater ? Long.MAX_VALUE : endedMs;
      for (JsonObject minute : wrong) {
        long atMs = Instant.parse(minute.getString("minute")).toEpochMilli();
        String when = minute.encode() + " of records from " + beganMs + " to " + endedMs;
        assertTrue(atMs + MINUTE_MS > beganMs && atMs <= lastMs, when);
      }
      Await.until(
          "the node warns",
          PATIENCE_SECONDS,
          () -> json(node, "/status").encode().contains("\"ledger\""));
    }
  }

  /** What is confirmed and not written yet when its minute is told is missing at its owner, too. */
  private static boolean isNamed(GalopProcess node, String stages) throws Exception {
    Set<String> wrong = unbalanced(node);
    if (stages.equals("log lost")) {
      wrong.remove("owner lost");
    }
    return wrong.equals(Set.of(stages.split("\\+")));
  }

  /** Until two minutes are told that began afterwards: what follows the Log is done then. */
  private static void awaitTold(GalopProcess node, long ms) {
    Await.until(
        "the minutes of what was published are told",
        PATIENCE_SECONDS,
        () ->
            minutes(node).stream()
                    .map(minute -> Instant.parse(minute.getString("minute")).toEpochMilli())
                    .filter(at -> at > ms)
                    .count()
                >= 2);
  }

  private static List<JsonObject> wrong(GalopProcess node) throws Exception {
    return minutes(node).stream().filter(minute -> minute.getLong("residual") > 0).toList();
  }

  private static List<Object> shards(List<JsonObject> minutes) {
    List<Object> shards = new ArrayList<>();
    for (JsonObject minute : minutes) {
      JsonObject stages = minute.getJsonObject("stages");
      for (String stage : stages.fieldNames()) {
        stages.getJsonObject(stage).getJsonArray("shards", new JsonArray()).forEach(shards::add);
      }
    }
    assertTrue(!shards.isEmpty(), "no shard is named");
    return shards;
  }
}
