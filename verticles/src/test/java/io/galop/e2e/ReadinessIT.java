package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees of a node that refuses records, and of a store that is away. */
@Timeout(180)
class ReadinessIT {
  private static final String SMALL_LOG =
      "persist.log={segmentBytes: 65536, queueBytes: 8192, retentionBytes: 0, quotaBytes: 327680,"
          + " minFreeBytes: 0}";

  @RegisterExtension private static final RedisServer REDIS = new RedisServer();
  @TempDir Path directory;

  private GalopProcess node(String... settings) {
    List<String> args = new ArrayList<>(List.of("--set", "ingest.limits.maxDataBytes=4096"));
    for (String setting : settings) {
      args.addAll(List.of("--set", setting));
    }
    return GalopProcess.run(directory, List.of(), args);
  }

  private String withBackup() {
    return "persist.backup={redis: {host: 127.0.0.1, port: "
        + REDIS.port()
        + ", sink: {maxPauseMs: 500}}}";
  }

  private static HttpResponse<String> ask(GalopProcess node, String path)
      throws IOException, InterruptedException {
    return Stored.get(node.management(path));
  }

  private static JsonObject health(GalopProcess node) throws IOException, InterruptedException {
    return new JsonObject(ask(node, "/health/ready").body());
  }

  private static String warning(GalopProcess node, String part) throws Exception {
    return health(node).getJsonObject("warnings").getString(part, "");
  }

  private static int publish(GalopProcess node, int records) throws Exception {
    String lines = ("{\"pad\":\"" + "x".repeat(1_000) + "\"}\n").repeat(records);
    return Stored.post(node.http("/publish/a/b"), "application/x-ndjson", lines).statusCode();
  }

  private static void fillTheLog(GalopProcess node) {
    Await.until("records are refused", 120, () -> publish(node, 50) == 429);
  }

  @Test
  void aFullLogIsNotReadyForPublishersSaysWhyAndThatItIsOver() throws Exception {
    try (GalopProcess node = node(SMALL_LOG, withBackup(), "persist.cold.enabled=false")) {
      assertEquals(200, ask(node, "/health/ready/publish").statusCode());
      assertEquals(List.of(), health(node).getJsonArray("conditions").getList());
      REDIS.stop();
      fillTheLog(node);
      Await.until("said", 120, () -> ask(node, "/health/ready/publish").statusCode() == 503);
      assertSaidEverywhere(node);
      REDIS.startAgain();
      Await.until("over", 120, () -> ask(node, "/health/ready/publish").statusCode() == 200);
      assertEquals(202, publish(node, 1));
      Await.until("calm", 120, () -> health(node).getJsonObject("warnings").isEmpty());
      awaitLogged(node, "the Log has room again");
      awaitLogged(node, "the store redis answers again");
    }
  }

  private static void assertSaidEverywhere(GalopProcess node) throws Exception {
    assertEquals(200, ask(node, "/health/ready/view").statusCode(), "viewers are served");
    assertEquals(200, ask(node, "/health/ready").statusCode(), "HAProxy asks here for viewers");
    JsonObject health = health(node);
    assertEquals(false, health.getJsonObject("publishers").getBoolean("ready"), health.encode());
    assertEquals(true, health.getJsonObject("viewers").getBoolean("ready"), health.encode());
    JsonObject condition = condition(health, "persist.log");
    assertEquals("refusing", condition.getString("level"));
    assertEquals(new JsonArray().add("publishers"), condition.getJsonArray("keeps"));
    assertTrue(condition.getString("what").contains("persist.log.quotaBytes"), health.encode());
    assertTrue(condition.getString("advice").contains("store redis"), health.encode());
    assertTrue(Instant.parse(condition.getString("since")).isBefore(Instant.now()));
    String status = Cli.ok("status", "--url", "http://" + node.address("management"));
    assertTrue(status.contains("REFUSES RECORDS"), status);
    assertTrue(status.contains("persist.log since 20"), status);
    assertEquals("refusing", condition(consoleFeed(node), "persist.log").getString("level"));
    awaitLogged(node, "persist.log: records are refused");
  }

  private static void awaitLogged(GalopProcess node, String words) {
    Await.until("logged: " + words, 120, () -> node.text().contains(words));
  }

  /** The first reading that a console is sent. */
  private static JsonObject consoleFeed(GalopProcess node) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(node.management("/console/feed")).build();
    try (Stream<String> lines =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
      return lines
          .map(JsonObject::new)
          .filter(line -> line.containsKey("conditions"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static JsonObject condition(JsonObject health, String part) {
    return health.getJsonArray("conditions").stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.getString("part").equals(part))
        .findFirst()
        .orElseThrow(() -> new AssertionError(health.encodePrettily()));
  }

  @Test
  void aStoreThatIsAwayIsNamedWithWhatItLacksUntilItHasIt() throws Exception {
    try (GalopProcess node = node(withBackup())) {
      assertEquals(202, publish(node, 10));
      REDIS.kill();
      assertEquals(202, publish(node, 100));
      String part = "persist.sink.redis";
      Await.until("told", 120, () -> warning(node, part).contains("has taken nothing since"));
      assertTrue(warning(node, part).contains("records, "), warning(node, part));
      assertTrue(warning(node, part).contains("see to the store"), warning(node, part));
      assertEquals(200, ask(node, "/health/ready").statusCode());
      assertEquals(200, ask(node, "/health/ready/publish").statusCode(), "the Log takes records");
      REDIS.startAgain();
      Await.until("over", 120, () -> health(node).getJsonObject("warnings").isEmpty());
      awaitLogged(node, "answers again and has everything");
    }
  }

  @Test
  void aNodeThatOnlyStoresIsNotReadyWhileItRefuses() throws Exception {
    try (GalopProcess node =
        node(
            SMALL_LOG,
            withBackup(),
            "persist.cold.enabled=false",
            "node.roles=[ingest,enrich,persist]")) {
      assertEquals(503, ask(node, "/health/ready/view").statusCode(), "it has no viewers");
      assertFalse(node.text().contains("\npage "), "and no page");
      REDIS.stop();
      fillTheLog(node);
      Await.until("said", 120, () -> ask(node, "/health/ready").statusCode() == 503);
    } finally {
      REDIS.startAgain();
    }
  }
}
