package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.ops.cluster.ReportVerticle;
import io.galop.socket.Listeners;
import io.galop.socket.ServerSockets;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.transport.Transport;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class ManagementVerticleTest {
  private final ServerSockets sockets = new ServerSockets();
  private final Vertx vertx = Vertx.builder().withTransport(sockets.over(Transport.NIO)).build();
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Listeners listeners = new Listeners(sockets);
  private final List<String> threads = new CopyOnWriteArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  private Node node;

  /** What every reading waits for. */
  private volatile CountDownLatch gate = new CountDownLatch(0);

  @BeforeEach
  void start() throws Exception {
    Gauge.builder("galop.persist.sink.lag.bytes", this::lag).tag("sink", "slow").register(meters);
    GalopConfig config = ConfigLoader.parse("management: {port: 0}", "test.yaml");
    Bus bus = Bus.open(vertx, new LocalCluster("n", Set.of(Role.values()), 1), config.cluster());
    node = new Node(config, bus, meters, new Readiness(), listeners);
    vertx
        .deployVerticle(new ManagementVerticle(node, meters))
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private int lag() {
    threads.add(Thread.currentThread().getName());
    try {
      return gate.await(60, TimeUnit.SECONDS) ? 1_234 : 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<HttpResponse<String>> ask(String path) {
    URI uri = URI.create("http://" + listeners.open().get("management") + path);
    return http.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Some look at the disk, and all of them together take long. */
  @ParameterizedTest
  @ValueSource(strings = {"/status", "/metrics"})
  void metersAreNotReadOnAnEventLoop(String path) throws Exception {
    assertEquals(200, ask(path).get().statusCode());
    assertFalse(threads.isEmpty());
    List<String> others =
        threads.stream().filter(name -> !name.startsWith("galop-metrics")).toList();
    assertEquals(List.of(), others);
  }

  /** They are in memory; all a page loads is there, and nothing from elsewhere may be loaded. */
  @Test
  void theConsoleIsServedFromTheJar() throws Exception {
    HttpResponse<String> page = ask("/").get();
    assertTrue(page.body().contains("<!DOCTYPE html>"), page.body());
    String policy = page.headers().firstValue("Content-Security-Policy").orElse("");
    assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
    assertTrue(policy.contains("frame-ancestors 'none'"), policy);
    List<String> loaded =
        Pattern.compile("(?:href|src)=\"(console/[^\"]+)\"")
            .matcher(page.body())
            .results()
            .map(one -> one.group(1))
            .toList();
    assertEquals(2, loaded.size(), page.body());
    for (String file : loaded) {
      assertEquals(200, ask("/" + file).get().statusCode(), file);
    }
    assertEquals(404, ask("/console/nothing.js").get().statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "/ledger?limit=0, limit",
    "/ledger?minute=noon, minute",
    "/explain, id",
    "/viewers?order=best, order"
  })
  void aWrongParameterIsRefusedInWordsForProgramsToo(String path, String named) throws Exception {
    node.reports()
        .offer(
            "viewers",
            asked -> {
              throw new IllegalArgumentException("order must be one of those that there are");
            });
    HttpResponse<String> answer = ask(path).get();
    assertEquals(400, answer.statusCode());
    JsonObject refusal = new JsonObject(answer.body());
    assertEquals("invalid_parameter", refusal.getString("reason"));
    assertTrue(refusal.getString("error").startsWith(named), answer.body());
  }

  @Test
  void aNodeWithoutViewersSaysSoForProgramsToo() throws Exception {
    HttpResponse<String> answer = ask("/viewers").get();
    assertEquals(404, answer.statusCode());
    assertEquals("role_missing", new JsonObject(answer.body()).getString("reason"));
  }

  @ParameterizedTest
  @CsvSource({
    "/ledger, ledger, galop.ledger.refused",
    "/explain?id=a, explain/found, galop.explain.refused"
  })
  void moreThanSoManyQuestionsAtOnceAreRefusedAndCounted(String path, String report, String counter)
      throws Exception {
    Promise<JsonObject> held = Promise.promise();
    node.reports().share(report, asked -> held.future());
    vertx.deployVerticle(new ReportVerticle(node)).await(60, TimeUnit.SECONDS);
    List<CompletableFuture<HttpResponse<String>>> asked =
        Stream.generate(() -> ask(path)).limit(20).toList();
    CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new)).get();
    held.fail("it is over");
    int refused = 0;
    for (CompletableFuture<HttpResponse<String>> one : asked) {
      if (one.get().statusCode() == 503) {
        refused++;
        assertEquals("busy", new JsonObject(one.get().body()).getString("reason"));
        assertEquals("1", one.get().headers().firstValue("Retry-After").orElse(""));
      }
    }
    assertTrue(refused > 0);
    assertEquals(refused, meters.get(counter).counter().count());
  }

  private HttpResponse<Stream<String>> feed() throws Exception {
    URI uri = URI.create("http://" + listeners.open().get("management") + "/console/feed");
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofLines());
  }

  @Test
  void theFeedBeginsWithTheHourAndGoesOn() throws Exception {
    try (Stream<String> lines = feed().body()) {
      List<JsonObject> first = lines.limit(4).map(JsonObject::new).toList();
      JsonArray figures = first.get(0).getJsonObject("hour").getJsonArray("figures");
      assertEquals("timeMs", figures.getString(0));
      assertFalse(first.get(0).containsKey("login"), "nobody logs in here");
      assertTrue(first.get(2).getLong("timeMs") < first.get(3).getLong("timeMs"));
    }
    List<String> others =
        threads.stream().filter(name -> !name.startsWith("galop-metrics")).toList();
    assertEquals(List.of(), others);
  }

  @Test
  void consolesAreCountedAndRefusedBeyondTheirBound() throws Exception {
    List<Stream<String>> open = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      HttpResponse<Stream<String>> one = feed();
      assertEquals(200, one.statusCode());
      open.add(one.body());
    }
    HttpResponse<String> refused = ask("/console/feed").get();
    assertEquals(503, refused.statusCode());
    assertTrue(refused.body().contains("already feeds 32 consoles"), refused.body());
    assertEquals("full", new JsonObject(refused.body()).getString("reason"));
    assertEquals(1, meters.get("galop.management.console.refused").counter().count());
    open.forEach(Stream::close);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    int status = 503;
    while (status != 200 && System.nanoTime() < end) {
      HttpResponse<Stream<String>> again = feed();
      status = again.statusCode();
      again.body().close();
    }
    assertEquals(200, status, "who has gone makes room");
  }

  /** Nobody asks for it, and each connection of it keeps more than one of HTTP/1.1. */
  @Test
  void speaksNoHttp2InClearText() throws Exception {
    String address = listeners.open().get("management");
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
      socket.getOutputStream().write(preface.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes(4);
      assertEquals("HTTP", new String(answer, StandardCharsets.US_ASCII));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/status", "/metrics"})
  void howeverManyAskMetersAreReadForOneAndThenForAll(String path) throws Exception {
    ask(path).get();
    int once = threads.size();
    gate = new CountDownLatch(1);
    List<CompletableFuture<HttpResponse<String>>> asked =
        Stream.generate(() -> ask(path)).limit(40).toList();
    Thread.sleep(500);
    gate.countDown();
    for (CompletableFuture<HttpResponse<String>> one : asked) {
      assertEquals(200, one.get().statusCode());
    }
    assertTrue(threads.size() <= 20 * once, threads.size() + " readings, " + once + " for one");
  }
}
