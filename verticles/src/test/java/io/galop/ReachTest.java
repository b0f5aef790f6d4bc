package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
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

  /** Notes when each record came to it. */
  private static final class Clocked extends FeedViewer {
    private final Map<String, Instant> cameAt = new ConcurrentHashMap<>();

    Clocked(GalopNode node) throws Exception {
      super(HTTP, node);
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      Instant now = Instant.now();
      CompletionStage<?> taken = super.onText(from, data, last);
      ids().forEach(id -> cameAt.putIfAbsent(id, now));
      return taken;
    }

    Instant awaitOf(String id) throws Exception {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!cameAt.containsKey(id)) {
        assertTrue(System.nanoTime() < deadline, id + " did not come");
        Thread.sleep(1);
      }
      return cameAt.get(id);
    }
  }

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
    JsonObject reach = counts(node, id);
    while (!reach.equals(expected) && System.nanoTime() < deadline) {
      Thread.sleep(50);
      reach = counts(node, id);
    }
    assertEquals(expected, reach);
  }

  private static JsonObject counts(GalopNode node, String id) throws Exception {
    JsonObject reach = shown(node, id).getJsonObject("reach").copy();
    reach.remove("written");
    return reach;
  }

  private static JsonObject written(GalopNode node, String id) throws Exception {
    return shown(node, id).getJsonObject("reach").getJsonObject("written");
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
      awaitWritten(node);
    }
  }

  /** The one that reads may have fallen behind meanwhile, and then it is not known when it was. */
  private static void awaitWritten(GalopNode node) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    JsonObject written = new JsonObject();
    for (int n = 0; !written.containsKey("registrations"); n++) {
      assertTrue(System.nanoTime() < deadline, written::encode);
      publish(node, "later" + n, "1");
      awaitReach(reach(1, 0, 1, 1, 0), node, "later" + n);
      written = written(node, "later" + n);
    }
    assertEquals(1, written.getInteger("registrations"), "when it left to the one that reads");
  }

  @Test
  void theToldTimeIsThatAtWhichAViewerGotIt() throws Exception {
    try (GalopNode node = start()) {
      publish(node, "before", "0");
      Clocked one = new Clocked(node);
      Clocked other = new Clocked(node);
      one.say("register", "a/#", new JsonObject());
      other.say("register", "a/1", new JsonObject());
      awaitRegistrations(2, node, "before");
      assertEquals(
          "none of the registrations of now counts as sent",
          written(node, "before").getString("because"));
      List<Instant> begun = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        begun.add(Instant.now());
        publish(node, "w" + i, "1");
        one.awaitOf("w" + i);
        other.awaitOf("w" + i);
        shown(node, "before"); // by then its event loops have ended their round
        Thread.sleep(20);
      }
      begun.add(Instant.now());
      for (int i = 0; i < 10; i++) {
        assertWhen(node, "w" + i, begun.subList(i, i + 2), List.of(one, other));
      }
    }
  }

  /** Nothing can come before it is written; nor is it written before it is published. */
  private static void assertWhen(
      GalopNode node, String id, List<Instant> around, List<Clocked> viewers) throws Exception {
    JsonObject shown = shown(node, id);
    JsonObject written = shown.getJsonObject("reach").getJsonObject("written");
    Instant fed = Instant.parse(shown.getJsonObject("fed").getString("time"));
    Instant first = Instant.parse(written.getString("first"));
    Instant last = Instant.parse(written.getString("last"));
    String all = id + " within " + around + ": " + shown;
    assertEquals(viewers.size(), written.getInteger("registrations"), all);
    assertFalse(first.isBefore(fed), all);
    assertTrue(first.plusMillis(1).isAfter(around.get(0)), all);
    assertFalse(last.isBefore(first), all);
    assertTrue(last.minusMillis(1).isBefore(around.get(1)), all);
    for (Clocked viewer : viewers) {
      assertFalse(first.isAfter(viewer.cameAt.get(id)), all + " came " + viewer.cameAt);
    }
  }
}
