package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.config.ConfigLoader;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
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

/** To whom of those who watch a record has come, as {@code GET /explain} says it. */
@Timeout(180)
class ReachTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int RECORDS = 200;
  private static final int RECORD_BYTES = 50_000;

  @TempDir Path directory;

  /** One that opens its connection and reads nothing. */
  private static final class Stalled implements WebSocket.Listener {
    @Override
    public void onOpen(WebSocket socket) {
      // Nothing is asked for.
    }
  }

  private GalopNode start() {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    sets.add("broadcast.outboxBytes=65536");
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  private static void publish(GalopNode node, String id, String data) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("http") + "/publish");
    String line = "{\"topic\":\"a/1\",\"id\":\"" + id + "\",\"data\":{\"v\":\"" + data + "\"}}\n";
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(line))
            .build();
    assertEquals(202, HTTP.send(request, BodyHandlers.ofString()).statusCode());
  }

  private static JsonObject shown(GalopNode node, String id) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + "/explain?id=" + id);
    String body = HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    return new JsonObject(body)
        .getJsonArray("records")
        .getJsonObject(0)
        .getJsonArray("shown")
        .getJsonObject(0);
  }

  private static JsonObject reach(int sent, int leaving, int waiting, int newestOnly, int unknown) {
    return new JsonObject()
        .put("sent", sent)
        .put("leaving", leaving)
        .put("waiting", waiting)
        .put("newestOnly", newestOnly)
        .put("unknown", unknown);
  }

  private static void awaitReach(JsonObject expected, GalopNode node, String id) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    JsonObject reach = shown(node, id).getJsonObject("reach");
    while (!reach.equals(expected) && System.nanoTime() < deadline) {
      Thread.sleep(50);
      reach = shown(node, id).getJsonObject("reach");
    }
    assertEquals(expected, reach);
  }

  private static void awaitRegistrations(int count, GalopNode node, String id) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (shown(node, id).getInteger("registrations") < count) {
      assertEquals(true, System.nanoTime() < deadline, "a viewer did not register");
      Thread.sleep(50);
    }
  }

  @Test
  void eachRegistrationIsCountedOnceByHowFarTheRecordHasCome() throws Exception {
    try (GalopNode node = start()) {
      publish(node, "first", "1");
      JsonObject plain = new JsonObject();
      FeedViewer reader = new FeedViewer(HTTP, node);
      reader.say("register", "a/#", plain);
      FeedViewer elsewhere = new FeedViewer(HTTP, node);
      elsewhere.say("register", "b/#", plain);
      FeedViewer other = new FeedViewer(HTTP, node);
      other.say("register", "a/1", new JsonObject().put("where", "data.v == 'never'"));
      FeedViewer newest = new FeedViewer(HTTP, node);
      newest.say("register", "a/1", new JsonObject().put("mode", "latest"));
      awaitRegistrations(3, node, "first");
      publish(node, "second", "2");
      awaitReach(reach(1, 0, 0, 1, 0), node, "second");
      URI live = URI.create("ws://" + node.listeners().get("http") + "/live/websocket");
      WebSocket stalled = HTTP.newWebSocketBuilder().buildAsync(live, new Stalled()).get();
      stalled.sendText("{\"type\":\"register\",\"address\":\"a/+\"}", true).get();
      awaitRegistrations(4, node, "first");
      awaitReach(reach(1, 0, 0, 1, 1), node, "second");
      for (int i = 0; i < RECORDS; i++) {
        publish(node, "r" + i, "x".repeat(RECORD_BYTES));
      }
      awaitReach(reach(1, 0, 1, 1, 0), node, "r" + (RECORDS - 1));
      awaitReach(reach(1, 1, 0, 1, 0), node, "r0");
    }
  }
}
