package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real node, asked how it is: what the stages count has to reach the screen. */
@Timeout(180)
class StatusTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  @TempDir Path directory;
  private final TestConsole console = new TestConsole();

  private GalopConfig config(String... more) {
    List<String> sets = new java.util.ArrayList<>(List.of("node.dataDir=" + directory));
    for (String part : List.of("http", "management", "ingest.tcp", "ingest.mqtt")) {
      sets.add(part + ".port=0");
    }
    sets.addAll(List.of("ingest.bridge.port=0", "node.name=alone", "persist.cold.every=1"));
    sets.addAll(List.of(more));
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  private static JsonObject status(GalopNode node) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + "/status");
    return new JsonObject(send(HttpRequest.newBuilder(uri)).body());
  }

  private static long stored(GalopNode node) throws Exception {
    return status(node).getJsonArray("sinks").getJsonObject(0).getLong("stored");
  }

  @Test
  void tellsWhatEachStageHasDone() throws Exception {
    try (GalopNode node = GalopNode.start(config())) {
      URI publish = URI.create("http://" + node.listeners().get("http") + "/publish");
      String lines = "{\"topic\":\"a\",\"data\":{}}\n".repeat(3) + "{\"topic\":\"a\"}\n";
      send(
          HttpRequest.newBuilder(publish)
              .header("Content-Type", "application/x-ndjson")
              .POST(BodyPublishers.ofString(lines)));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (stored(node) < 3 && System.nanoTime() < deadline) {
        Thread.sleep(20);
      }
      JsonObject status = status(node);
      assertTrue(status.getBoolean("ready"), status.encodePrettily());
      JsonObject records = status.getJsonObject("records");
      assertEquals(3, records.getLong("taken"), records.encode());
      assertEquals(3, records.getLong("acknowledged"), records.encode());
      assertEquals(1, records.getLong("rejected"), records.encode());
      assertEquals(3, records.getLong("enriched"), records.encode());
      assertEquals(3, records.getLong("placed"), records.encode());
      assertEquals(16, status.getJsonObject("shards").getLong("owned"));
      assertTrue(status.getJsonObject("log").getLong("segments") >= 1, status.encodePrettily());
      assertEquals(16, status.getJsonObject("feed").getLong("followers"));
      assertEquals(0, status.getJsonObject("browsers").getLong("connections"));
      JsonObject cold = status.getJsonArray("sinks").getJsonObject(0);
      assertEquals("embedded", cold.getString("name"));
      assertEquals(3, cold.getLong("stored"));
      assertTrue(cold.containsKey("lagBytes") && cold.containsKey("lagSeconds"), cold.encode());
      assertEquals(0, cold.getLong("retries"));
      assertShownOnOneScreen(node);
    }
  }

  private void assertShownOnOneScreen(GalopNode node) {
    String url = "http://" + node.listeners().get("management");
    assertEquals(0, console.run("status", "--url", url, "--interval-ms", "50"), console.err());
    assertTrue(console.outLines().size() <= 24, console.out());
    assertTrue(console.outLines().get(0).startsWith("alone is ready, up "), console.out());
    assertTrue(console.out().contains("owns 16 shards"), console.out());
    assertTrue(console.out().contains("rejected 1"), console.out());
    assertTrue(console.out().contains("embedded: behind "), console.out());
    assertTrue(console.out().contains("stored 3"), console.out());
  }

  @Test
  void aNodeWithoutBrowsersLeavesThemOut() throws Exception {
    try (GalopNode node = GalopNode.start(config("node.roles=[ingest, enrich, persist]"))) {
      JsonObject status = status(node);
      assertFalse(status.containsKey("browsers"), status.encodePrettily());
      String url = "http://" + node.listeners().get("management");
      assertEquals(0, console.run("status", "--url", url, "--interval-ms", "0"), console.err());
      assertTrue(console.out().contains("alone: ingest, enrich, persist; owns 16 shards"));
      assertFalse(console.out().contains("browsers"), console.out());
    }
  }

  @Test
  void tellsHowOldThePolledSourcesAre() throws Exception {
    String nowhere = "{name: tote, url: 'http://127.0.0.1:1/', topic: t, intervalMs: 50}";
    try (GalopNode node = GalopNode.start(config("ingest.poll.sources=[" + nowhere + "]"))) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      JsonObject polled = status(node).getJsonArray("polled").getJsonObject(0);
      while (polled.getLong("failed") == 0 && System.nanoTime() < deadline) {
        Thread.sleep(20);
        polled = status(node).getJsonArray("polled").getJsonObject(0);
      }
      assertTrue(polled.getBoolean("asking") && polled.getLong("failed") > 0, polled.encode());
      assertEquals(0, polled.getLong("changed"), polled.encode());
      String url = "http://" + node.listeners().get("management");
      assertEquals(0, console.run("status", "--url", url, "--interval-ms", "0"), console.err());
      assertTrue(console.out().contains("tote: "), console.out());
      assertTrue(console.out().contains(" s old, changed 0, unchanged 0, failed "), console.out());
    }
  }

  @Test
  void tellsWhatVerticlesHaveDone() throws Exception {
    Files.writeString(directory.resolve("idle.js"), "function start() {}\n");
    String[] sets = {"enrich.directory=" + directory, "verticles=[{name: 'js:idle.js'}]"};
    try (GalopNode node = GalopNode.start(config(sets))) {
      String url = "http://" + node.listeners().get("management");
      assertEquals(0, console.run("status", "--url", url, "--interval-ms", "0"), console.err());
      String expected = "js:idle.js: instances 1, published 0, rejected 0, consumed 0, dropped 0";
      assertTrue(console.out().contains(expected), console.out());
    }
  }

  /** No server of names knows a level of more than 63 letters. */
  @Test
  void aNameThatNobodyKnowsIsSaidToBeThat() {
    String name = "a".repeat(64) + ".invalid";
    assertEquals(1, console.run("status", "--url", "http://" + name + ":9090"));
    assertEquals(
        "galop: no node at http://%s:9090; the name %s is not known here".formatted(name, name),
        console.err().strip());
  }

  @Test
  void nobodyThereIsAFailureInOneSentence() throws Exception {
    int port = Ports.free();
    String url = "http://127.0.0.1:" + port;
    assertEquals(1, console.run("status", "--url", url));
    assertEquals("galop: no node at " + url + "; is one running there?", console.err().strip());
  }
}
