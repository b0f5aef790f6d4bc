package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.page.Chromium;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How late a record is, from its door to the screen of a real browser. */
@Timeout(300)
class LatencyIT {
  private static final List<String> STAGES = List.of("placed", "logged", "fed", "socket", "screen");
  private static final Pattern BUCKET = Pattern.compile("le=\"([^\"]+)\"");

  @TempDir Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private GalopProcess node;
  private Chromium chromium;

  /** Says nothing, and does not read on. */
  private static final class Frozen implements WebSocket.Listener {
    @Override
    public void onOpen(WebSocket socket) {}
  }

  @BeforeEach
  void start() {
    chromium = Chromium.open();
    node = GalopProcess.demo(directory, List.of());
  }

  @AfterEach
  void stop() {
    if (node != null) {
      node.close();
    }
    chromium.close();
  }

  private String get(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(node.management(path)).build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private Stream<MatchResult> series(String suffix, String labels) throws Exception {
    return Pattern.compile(
            "(?m)^galop_latency_seconds_" + suffix + "\\{([^}]*" + labels + "[^}]*)\\} (\\S+)$")
        .matcher(get("/metrics"))
        .results();
  }

  private double count(String labels) throws Exception {
    return series("count", labels).mapToDouble(one -> Double.parseDouble(one.group(2))).sum();
  }

  private void freeze() throws Exception {
    URI live = URI.create("ws://" + node.address("http") + "/live/websocket");
    WebSocket frozen = client.newWebSocketBuilder().buildAsync(live, new Frozen()).get();
    frozen.sendText("{\"type\":\"register\",\"address\":\"#\"}", true).get();
  }

  @Test
  void everyStageIsCountedUpToTheScreen() throws Exception {
    freeze();
    chromium.page(node.http("/").toString());
    for (String stage : STAGES) {
      Await.until(stage, 120, () -> count("stage=\"" + stage + "\"") > 0);
    }
    assertTrue(count("door=\"simulation\",node=\"[^\"]+\",stage=\"screen\"") > 0);
    assertTrue(count("stage=\"socket\",transport=\"websocket\"") > 0);
    JsonObject latency = new JsonObject(get("/status")).getJsonObject("latencyMs");
    for (String stage : STAGES) {
      JsonObject figures = latency.getJsonObject(stage);
      assertTrue(figures.getDouble("p50") <= figures.getDouble("p999"), stage + " " + figures);
      // A clock that is wrong would show hours, or nothing.
      assertTrue(figures.getDouble("p50") < 60_000, stage + " " + figures);
    }
    chromium.assertNoComplaints();
  }

  @Test
  void bucketsAreATenthWide() throws Exception {
    Await.until("placed", 120, () -> count("stage=\"placed\"") > 0);
    List<Double> bounds =
        series("bucket", "stage=\"placed\"")
            .map(one -> BUCKET.matcher(one.group(1)))
            .filter(one -> one.find() && !one.group(1).equals("+Inf"))
            .map(one -> Double.parseDouble(one.group(1)))
            .toList();
    assertTrue(bounds.size() > 100, bounds.toString());
    for (int i = 1; i < bounds.size(); i++) {
      double ratio = bounds.get(i) / bounds.get(i - 1);
      assertTrue(ratio > 1 && ratio <= 1.1, bounds.get(i - 1) + " to " + bounds.get(i));
    }
  }

  @Test
  void whoDoesNotAskGetsThePongOfBeforeAndALiarOnlyAnError() throws Exception {
    TextViewer viewer = new TextViewer();
    URI live = URI.create("ws://" + node.address("http") + "/live/websocket");
    WebSocket socket = client.newWebSocketBuilder().buildAsync(live, viewer).get();
    socket.sendText("{\"type\":\"ping\"}", true).get();
    assertEquals("{\"type\":\"pong\"}", viewer.next());
    socket.sendText("{\"type\":\"ping\",\"clock\":true}", true).get();
    JsonObject pong = new JsonObject(viewer.next());
    assertTrue(pong.getDouble("now") > 1e12 && pong.getInteger("again") >= 5_000, "" + pong);
    for (String wrong :
        List.of(
            "{\"type\":\"shown\"}",
            "{\"type\":\"shown\",\"pos\":\"x\",\"time\":1,\"error\":1}",
            "{\"type\":\"shown\",\"pos\":\"999.1-1\",\"time\":1,\"error\":1}",
            "{\"type\":\"shown\",\"pos\":\"0.1-1\",\"time\":\"1\",\"error\":1}",
            "{\"type\":\"shown\",\"pos\":\"0.1-1\",\"time\":1e300,\"error\":1}",
            "{\"type\":\"shown\",\"pos\":\"0.1-1\",\"time\":1,\"error\":-1}")) {
      socket.sendText(wrong, true).get();
      JsonObject answer = new JsonObject(viewer.next());
      assertEquals("invalid_shown", answer.getString("body"), wrong + ": " + answer);
    }
    for (int i = 0; i < 3; i++) {
      socket
          .sendText("{\"type\":\"shown\",\"pos\":\"0.1-1\",\"time\":1e12,\"error\":1}", true)
          .get();
    }
    socket.sendText("{\"type\":\"ping\"}", true).get();
    assertEquals("{\"type\":\"pong\"}", viewer.next(), "it stays connected");
    assertTrue(get("/metrics").contains("galop_latency_answers_refused_total 2.0"));
    assertEquals(0, count("stage=\"screen\""), "of a record that the node does not have");
  }

  /** The messages that come, one after the other. */
  private static final class TextViewer implements WebSocket.Listener {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
      messages.add(text.toString());
      socket.request(1);
      return null;
    }

    String next() throws InterruptedException {
      String message = messages.poll(60, TimeUnit.SECONDS);
      assertTrue(message != null, "nothing came");
      return message;
    }
  }
}
