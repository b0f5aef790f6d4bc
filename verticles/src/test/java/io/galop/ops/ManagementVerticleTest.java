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
import io.galop.socket.Listeners;
import io.galop.socket.ServerSockets;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.transport.Transport;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
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

  /** What every reading waits for. */
  private volatile CountDownLatch gate = new CountDownLatch(0);

  @BeforeEach
  void start() throws Exception {
    Gauge.builder("galop.persist.sink.lag.bytes", this::lag).tag("sink", "slow").register(meters);
    GalopConfig config = ConfigLoader.parse("management: {port: 0}", "test.yaml");
    Bus bus = Bus.open(vertx, new LocalCluster("n", Set.of(Role.values()), 1), config.cluster());
    Node node = new Node(config, bus, meters, new Readiness(), listeners);
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
  @ValueSource(strings = {"/status", "/metrics", "/"})
  void metersAreNotReadOnAnEventLoop(String path) throws Exception {
    assertEquals(200, ask(path).get().statusCode());
    assertFalse(threads.isEmpty());
    List<String> others =
        threads.stream().filter(name -> !name.startsWith("galop-metrics")).toList();
    assertEquals(List.of(), others);
  }

  /** What is above numbers ends where they do. */
  @Test
  void theHeadOfAColumnIsAlignedAsItsCells() throws Exception {
    Matcher tables =
        Pattern.compile("<table.*?</table>", Pattern.DOTALL).matcher(ask("/").get().body());
    int found = 0;
    while (tables.find()) {
      found++;
      List<List<String>> rows =
          Arrays.stream(tables.group().split("<tr>"))
              .skip(1)
              .map(row -> Pattern.compile("<t[hd]([^>]*)>").matcher(row).results())
              .map(cells -> cells.map(cell -> cell.group(1)).toList())
              .toList();
      for (List<String> row : rows) {
        assertEquals(rows.get(0), row, tables.group());
      }
      if (tables.group().contains("<th>meter</th>")) {
        assertEquals(List.of("", " class=\"number\""), rows.get(0));
      }
    }
    assertTrue(found >= 2, "nodes and counts at least");
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
  @ValueSource(strings = {"/status", "/metrics", "/"})
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
