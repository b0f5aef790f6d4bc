package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real node, asked for its viewers. */
@Timeout(180)
class ViewersTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  @TempDir Path directory;

  private GalopConfig config(String... more) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    sets.addAll(List.of(more));
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
  }

  private static HttpResponse<String> get(GalopNode node, String path) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private static WebSocket register(GalopNode node, String filter) throws Exception {
    URI uri = URI.create("ws://" + node.listeners().get("http") + "/live/websocket");
    WebSocket socket =
        HTTP.newWebSocketBuilder()
            .buildAsync(uri, new WebSocket.Listener() {})
            .get(60, TimeUnit.SECONDS);
    String message = "{\"type\":\"register\",\"address\":\"" + filter + "\"}";
    return socket.sendText(message, true).get(60, TimeUnit.SECONDS);
  }

  private static JsonObject awaitRegistrations(GalopNode node, int count) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    JsonObject report;
    do {
      Thread.sleep(20);
      report = new JsonObject(get(node, "/viewers?order=published&limit=2").body());
    } while (registrations(report) < count && System.nanoTime() < deadline);
    return report;
  }

  private static int registrations(JsonObject report) {
    return report.getJsonArray("viewers").stream()
        .mapToInt(viewer -> ((JsonObject) viewer).getInteger("registrations"))
        .sum();
  }

  @Test
  void tellsWhatBecameOfEachViewersRecords() throws Exception {
    try (GalopNode node = GalopNode.start(config())) {
      register(node, "a/#");
      register(node, "a/1");
      awaitRegistrations(node, 2);
      URI publish = URI.create("http://" + node.listeners().get("http") + "/publish/a/2");
      HttpRequest.Builder request =
          HttpRequest.newBuilder(publish)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString("{}"));
      assertEquals(202, HTTP.send(request.build(), BodyHandlers.ofString()).statusCode());
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      JsonObject report = awaitRegistrations(node, 2);
      while (report.getLong("sent") < 1 && System.nanoTime() < deadline) {
        report = awaitRegistrations(node, 2);
      }
      assertEquals(2, report.getInteger("connections"), report.encodePrettily());
      assertEquals(1, report.getLong("published"));
      JsonObject first = report.getJsonArray("viewers").getJsonObject(0);
      assertEquals("a/#", first.getJsonArray("filters").getString(0));
      assertEquals(1, first.getLong("published"));
      assertEquals(1, first.getLong("sent"));
      assertTrue(first.getString("address").contains("127.0.0.1"), first::encode);
      assertEquals(0, report.getJsonArray("viewers").getJsonObject(1).getLong("published"));
      JsonObject one = new JsonObject(get(node, "/viewers?limit=1").body());
      assertEquals(1, one.getJsonArray("viewers").size());
    }
  }

  @Test
  void saysWhatIsWrongWithAQuestion() throws Exception {
    try (GalopNode node = GalopNode.start(config())) {
      HttpResponse<String> limit = get(node, "/viewers?limit=1001");
      assertEquals(400, limit.statusCode());
      assertTrue(limit.body().contains("limit must be a whole number from 1 to 1000"));
      HttpResponse<String> order = get(node, "/viewers?order=x");
      assertEquals(400, order.statusCode());
      assertTrue(order.body().contains("slowest, dropped"), order.body());
    }
  }

  @Test
  void aNodeWithoutViewersSaysSo() throws Exception {
    try (GalopNode node = GalopNode.start(config("node.roles=[ingest, enrich, persist]"))) {
      assertEquals(404, get(node, "/viewers").statusCode());
      assertEquals(200, get(node, "/").statusCode());
    }
  }
}
