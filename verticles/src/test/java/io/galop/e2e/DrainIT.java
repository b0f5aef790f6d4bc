package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that is stopped or drained while many watch: they go elsewhere, and miss nothing. */
@Timeout(240)
class DrainIT {
  private static final int VIEWERS = 200;

  /** So long that a machine that stands still for some seconds does not make one moment of it. */
  private static final int DRAIN_SECONDS = 8;

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path directory;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private int published;

  private static int post(URI uri, String body, String... header) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body));
    if (header.length > 0) {
      request.headers(header);
    }
    HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
    return answer.statusCode();
  }

  private void publish(GalopProcess node, boolean isLast) throws Exception {
    JsonObject data = new JsonObject().put("n", published++);
    if (isLast) {
      data.put("last", true);
    }
    String json = "application/json";
    assertEquals(202, post(node.http("/publish/a/b"), data.encode(), "Content-Type", json));
  }

  private Thread stream(GalopProcess node) {
    Thread stream =
        new Thread(
            () -> {
              try {
                while (!isOver.get()) {
                  publish(node, false);
                  Thread.sleep(10);
                }
                publish(node, true);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    stream.start();
    return stream;
  }

  @Test
  void viewersOfANodeThatStopsLeaveEvenlyAndMissNothing() throws Exception {
    List<String> shared = List.of("--set", "broadcast.drainSeconds=" + DRAIN_SECONDS);
    try (Nodes nodes = new Nodes(directory, List.of("store", "a", "b"), shared)) {
      GalopProcess store = nodes.start("store", "ingest,enrich,persist");
      GalopProcess a = nodes.start("a", "broadcast");
      GalopProcess b = nodes.start("b", "broadcast");
      try (Viewer crowd = Viewer.leavingCrowd(VIEWERS, "a/#", a.http("/live"), b.http("/live"))) {
        Thread stream = stream(store);
        a.terminate();
        Await.until("the door is shut", 120, () -> crowd.all("gone").size() > 0);
        assertEquals(503, Stored.get(a.http("/live/info")).statusCode());
        assertEquals(0, a.awaitExit(60), a.text());
        Await.until("all are back", 120, () -> crowd.all("back").size() == VIEWERS);
        isOver.set(true);
        stream.join();
        Await.until("all have the last", 120, () -> crowd.all("done").size() == VIEWERS);
        assertNothingMissed(crowd);
        assertSpread(crowd.all("gone"));
      }
    }
  }

  private static void assertNothingMissed(Viewer crowd) {
    for (JsonObject done : crowd.all("done")) {
      assertTrue(done.getBoolean("isComplete"), done.encode());
      assertEquals(0, done.getInteger("missing"), done.encode());
      assertEquals(0, done.getInteger("twice"), done.encode());
    }
    assertEquals(VIEWERS, crowd.all(m -> Boolean.TRUE.equals(m.getBoolean("complete"))).size());
  }

  private static void assertSpread(List<JsonObject> gone) {
    assertEquals(VIEWERS, gone.size());
    List<Long> times = gone.stream().map(m -> m.getLong("atMs")).sorted().toList();
    long middleMs = times.get(VIEWERS * 3 / 4) - times.get(VIEWERS / 4);
    assertTrue(
        middleMs > 1000L * DRAIN_SECONDS / 8, "half of them left within " + middleMs + " ms");
    for (JsonObject each : gone) {
      assertEquals(3001, each.getInteger("code"), each.encode());
    }
    long delays = gone.stream().map(m -> m.getInteger("retryAfterMs")).distinct().count();
    assertTrue(delays > VIEWERS / 4, delays + " different times to come back");
  }

  @Test
  void aNodeIsDrainedThroughTheManagementPort() throws Exception {
    try (GalopProcess node = GalopProcess.run(directory, List.of(), List.of());
        Viewer viewer = Viewer.on(node.http("/live"), "xhr-polling", "a")) {
      assertEquals(403, post(node.management("/drain"), "", "Origin", "http://elsewhere.example"));
      assertEquals(200, Stored.get(node.management("/health/ready")).statusCode());
      assertEquals(202, post(node.management("/drain"), ""));
      assertEquals(503, Stored.get(node.management("/health/ready")).statusCode());
      Await.until("the viewer is gone", 120, () -> !viewer.all("close").isEmpty());
      assertEquals(3001, viewer.all("err").get(0).getInteger("failureCode"));
      assertEquals(503, Stored.get(node.http("/live/info")).statusCode());
      assertTrue(node.isAlive());
      assertFalse(node.text().contains("Exception"), node.text());
    }
  }
}
