package io.galop.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.PackedNode;
import io.opentelemetry.proto.trace.v1.Span;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One trace from the door to a viewer's socket, as a collector gets it from the packed jars. */
@Timeout(400)
class TracesIT {
  private static final long WAIT_SECONDS = 180;
  private static final long EACH_MS = 2_000;
  private static final String SPAN = "00f067aa0ba902b7";
  private static final Set<String> STAGES =
      Set.of("galop enriched", "galop placed", "galop logged", "galop fed", "galop socket");

  @TempDir Path directory;

  private final HttpClient http = HttpClient.newHttpClient();

  private static String trace(int number) {
    return "4bf92f3577b34da6a3ce9290%08x".formatted(number);
  }

  private void publish(PackedNode node, String traceparent) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.uri("http", "/publish/race/1"))
            .header("traceparent", traceparent)
            .POST(BodyPublishers.ofString("{\"odds\":3.5}"))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    assertEquals("{\"accepted\":1,\"rejected\":[]}", answer.body());
  }

  private WebSocket viewer(PackedNode node) throws Exception {
    URI live = node.uri("http", "/live/websocket");
    WebSocket.Listener reader =
        new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            from.request(1);
            return null;
          }
        };
    WebSocket viewer =
        http.newWebSocketBuilder()
            .buildAsync(URI.create("ws" + live.toString().substring("http".length())), reader)
            .get(60, TimeUnit.SECONDS);
    String register = "{\"type\":\"register\",\"address\":\"race/#\",\"headers\":{}}";
    viewer.sendText(register, true).get(60, TimeUnit.SECONDS);
    return viewer;
  }

  /**
   * Publishes until one trace has reached all stages: the viewer may not be registered before, and
   * one that is busy is not looked at.
   */
  private Map<String, Span> wholeTrace(PackedNode node, Collector collector) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    for (int number = 1; System.nanoTime() - deadline < 0; number++) {
      publish(node, "00-" + trace(number) + "-" + SPAN + "-01");
      long next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(EACH_MS);
      while (System.nanoTime() - next < 0) {
        for (int sent = 1; sent <= number; sent++) {
          Map<String, Span> spans = byName(collector.ofTrace(trace(sent)));
          if (spans.keySet().equals(STAGES)) {
            return spans;
          }
        }
        Thread.sleep(20);
      }
    }
    throw new AssertionError("no trace is whole: " + collector.all() + "\n" + node.text());
  }

  /** The first of each stage: what a slow node is sent again is seen again. */
  private static Map<String, Span> byName(List<Span> spans) {
    Map<String, Span> byName = new TreeMap<>();
    spans.forEach(span -> byName.merge(span.getName(), span, TracesIT::earlier));
    return byName;
  }

  private static Span earlier(Span one, Span other) {
    return one.getEndTimeUnixNano() <= other.getEndTimeUnixNano() ? one : other;
  }

  private static void endsBefore(Map<String, Span> spans, String one, String other) {
    long first = spans.get("galop " + one).getEndTimeUnixNano();
    long then = spans.get("galop " + other).getEndTimeUnixNano();
    assertTrue(first <= then, one + " before " + other + ": " + spans);
  }

  private static void check(Map<String, Span> spans) {
    Set<Long> begins =
        spans.values().stream().map(Span::getStartTimeUnixNano).collect(Collectors.toSet());
    assertEquals(1, begins.size(), "each begins at the door: " + spans);
    long begin = begins.iterator().next();
    long nowNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    assertTrue(Math.abs(nowNanos - begin) < TimeUnit.HOURS.toNanos(1), "" + spans);
    for (Span span : spans.values()) {
      assertEquals(SPAN, Collector.hex(span.getParentSpanId()));
      long took = span.getEndTimeUnixNano() - begin;
      assertTrue(took >= 0 && took < TimeUnit.SECONDS.toNanos(WAIT_SECONDS), "" + spans);
      assertEquals("http", Collector.attribute(span, "galop.door"));
      assertEquals("", Collector.attribute(span, "galop.clock"));
    }
    assertEquals("websocket", Collector.attribute(spans.get("galop socket"), "galop.transport"));
    assertEquals("", Collector.attribute(spans.get("galop fed"), "galop.transport"));
    // Viewers are fed before the Log has it, and may be before the owner says that it has it.
    endsBefore(spans, "enriched", "placed");
    endsBefore(spans, "placed", "logged");
    endsBefore(spans, "enriched", "fed");
    endsBefore(spans, "fed", "socket");
  }

  private Path config(String endpoint) throws Exception {
    return Files.writeString(
        directory.resolve("galop.yaml"), "telemetry: {endpoint: '" + endpoint + "'}\n");
  }

  @Test
  void aTraceGoesFromTheDoorToTheSocket() throws Exception {
    PackedNode.install(directory, "opentelemetry");
    try (Collector collector = new Collector();
        PackedNode node = PackedNode.run(directory, "node", config(collector.endpoint()))) {
      String unsampled = trace(0xffff);
      publish(node, "00-" + unsampled + "-" + SPAN + "-00");
      publish(node, "00-what");
      WebSocket viewer = viewer(node);
      check(wholeTrace(node, collector));
      viewer.abort();
      assertEquals(List.of(), collector.ofTrace(unsampled));
      assertEquals("galop", collector.service());
      assertEquals(1, node.metric("galop_ingest_traces_invalid_total", "door=\"http\""));
      awaitCounted(node);
      assertEquals(0, node.terminate(), node.text());
      assertFalse(node.text().contains("takes no spans"), node.text());
      assertFalse(node.text().contains("io.opentelemetry"), node.text());
    }
  }

  /** A span counts as sent when the collector has answered. */
  private static void awaitCounted(PackedNode node) throws Exception {
    awaitTrue(
        node,
        () -> node.metric("galop_telemetry_spans_total", "outcome=\"sent\"") >= STAGES.size());
  }

  @Test
  void eachRequestHasTheHeadersAndNoLineSaysTheirValues() throws Exception {
    PackedNode.install(directory, "opentelemetry");
    Path key = Files.writeString(directory.resolve("key"), "first-secret\n");
    String headers =
        "telemetry.headers=[{name: %s, valueFile: '%s'}, {name: Authorization, value: Basic hush}]"
            .formatted(Collector.KEY, key);
    try (Collector collector = new Collector();
        PackedNode node =
            PackedNode.run(directory, "node", config(collector.endpoint()), headers)) {
      awaitKey(node, collector, "first-secret");
      Path next = Files.writeString(directory.resolve("next"), "second-secret\n");
      Files.move(next, key, StandardCopyOption.ATOMIC_MOVE);
      awaitKey(node, collector, "second-secret");
      assertEquals(
          Set.of("first-secret", "second-secret"), Set.copyOf(collector.keys()), node.text());
      Files.move(Files.writeString(next, "thïrd-secret\n"), key, StandardCopyOption.ATOMIC_MOVE);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      for (int number = 1; failed(node) < 1; number++) {
        assertTrue(System.nanoTime() - deadline < 0, node.text());
        publish(node, "00-" + trace(number) + "-" + SPAN + "-01");
        Thread.sleep(50);
      }
      assertEquals(0, node.terminate(), node.text());
      assertTrue(node.text().contains("headers[0]: the value must be"), node.text());
      assertFalse(node.text().contains("secret") || node.text().contains("hush"), node.text());
    }
  }

  /** Publishes until a request with this key has come. */
  private void awaitKey(PackedNode node, Collector collector, String key) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    for (int number = 1; !collector.keys().contains(key); number++) {
      assertTrue(System.nanoTime() - deadline < 0, collector.keys() + "\n" + node.text());
      publish(node, "00-" + trace(number) + "-" + SPAN + "-01");
      Thread.sleep(50);
    }
  }

  @Test
  void oneInSoManyIsKeptAndExplainNamesIt() throws Exception {
    PackedNode.install(directory, "opentelemetry");
    try (Collector collector = new Collector();
        PackedNode node =
            PackedNode.run(
                directory, "node", config(collector.endpoint()), "telemetry.sampleEvery=4")) {
      // Of these ids one in four is 4, not 5.
      publish(node, "left", trace(5));
      publish(node, "kept", trace(4));
      String named = "\"trace\":\"" + trace(4) + "\"";
      awaitTrue(node, () -> explained(node, "kept").contains(named));
      awaitTrue(node, () -> explained(node, "left").contains("\"taken\":{\"door\":\"http\""));
      assertFalse(explained(node, "left").contains("\"trace\""), explained(node, "left"));
      awaitTrue(node, () -> byName(collector.ofTrace(trace(4))).containsKey("galop logged"));
      assertEquals(0, node.terminate(), node.text());
      assertEquals(List.of(), collector.ofTrace(trace(5)));
    }
  }

  /** Publishes a record with this id; it is on disk then. */
  private void publish(PackedNode node, String id, String trace) throws Exception {
    String line = "{\"topic\":\"race/1\",\"id\":\"%s\",\"data\":{}}\n".formatted(id);
    HttpRequest request =
        HttpRequest.newBuilder(node.uri("http", "/publish"))
            .header("Content-Type", "application/x-ndjson")
            .header("traceparent", "00-" + trace + "-" + SPAN + "-01")
            .POST(BodyPublishers.ofString(line))
            .build();
    assertEquals(202, http.send(request, BodyHandlers.ofString()).statusCode());
  }

  private static String explained(PackedNode node, String id) throws Exception {
    return node.get("management", "/explain?id=" + id);
  }

  private static void awaitTrue(PackedNode node, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!condition.call()) {
      assertTrue(System.nanoTime() - deadline < 0, node.text());
      Thread.sleep(20);
    }
  }

  /** What still waits when a node ends in order is sent. */
  @Test
  void whatWaitsIsSentWhenTheNodeEnds() throws Exception {
    PackedNode.install(directory, "opentelemetry");
    try (Collector collector = new Collector();
        PackedNode node = PackedNode.run(directory, "node", config(collector.endpoint()))) {
      publish(node, "00-" + trace(1) + "-" + SPAN + "-01");
      assertEquals(0, node.terminate(), node.text());
      Set<String> names = byName(collector.ofTrace(trace(1))).keySet();
      assertTrue(names.containsAll(Set.of("galop enriched", "galop logged")), "" + names);
    }
  }

  @Test
  void aCollectorThatIsAwayIsSaidOnceAndKeepsNobodyFromWorking() throws Exception {
    PackedNode.install(directory, "opentelemetry");
    Collector gone = new Collector();
    gone.close();
    Path config = config(gone.endpoint());
    try (PackedNode node = PackedNode.run(directory, "node", config, "telemetry.timeoutMs=500")) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      for (int number = 1; failed(node) < 8; number++) {
        publish(node, "00-" + trace(number) + "-" + SPAN + "-01");
        assertTrue(System.nanoTime() - deadline < 0, node.text());
        Thread.sleep(50);
      }
      assertEquals(0, node.terminate(), node.text());
      long said = node.text().lines().filter(line -> line.contains("takes no spans")).count();
      assertEquals(1, said, node.text());
      assertFalse(node.text().contains("io.opentelemetry"), node.text());
    }
  }

  private static double failed(PackedNode node) throws Exception {
    return node.metric("galop_telemetry_spans_total", "outcome=\"failed\"");
  }

  @Test
  void whatThereIsNoRoomForIsDroppedAndCounted() throws Exception {
    PackedNode.install(directory, "opentelemetry");
    try (Collector collector = Collector.hanging();
        PackedNode node =
            PackedNode.run(
                directory,
                "node",
                config(collector.endpoint()),
                "telemetry.timeoutMs=600000",
                "telemetry.maxWaitingSpans=64")) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      for (int number = 1; dropped(node) < 1; number++) {
        publish(node, "00-" + trace(number) + "-" + SPAN + "-01");
        assertTrue(System.nanoTime() - deadline < 0, node.text());
      }
      assertTrue(node.get("management", "/metrics").contains("galop_telemetry_spans_waiting 64"));
      assertEquals(0, node.terminate(), node.text());
    }
  }

  private static double dropped(PackedNode node) throws Exception {
    return node.metric("galop_telemetry_spans_total", "outcome=\"dropped\"");
  }

  @Test
  void namesTheAddOnThatIsMissing() throws Exception {
    PackedNode.install(directory);
    String config = config("http://127.0.0.1:4318").toString();
    PackedNode check = PackedNode.start(directory, "check", List.of("check", config));
    assertEquals(2, check.awaitExit(), check.text());
    String missing = "telemetry.endpoint: the add-on opentelemetry is not there";
    assertTrue(check.text().contains(missing), check.text());
    assertTrue(check.text().contains("'./galop add opentelemetry'"), check.text());
  }
}
