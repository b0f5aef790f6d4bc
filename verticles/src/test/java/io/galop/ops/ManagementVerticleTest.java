package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.bus.Bus;
import io.galop.bus.Listeners;
import io.galop.bus.LocalCluster;
import io.galop.bus.Node;
import io.galop.bus.Readiness;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ManagementVerticleTest {
  private final Vertx vertx = Vertx.vertx();
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Listeners listeners = new Listeners();
  private final List<String> threads = new CopyOnWriteArrayList<>();

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
        .get(20, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private int lag() {
    threads.add(Thread.currentThread().getName());
    return 1_234;
  }

  /** Some look at the disk, and all of them together take long. */
  @ParameterizedTest
  @ValueSource(strings = {"/status", "/metrics", "/"})
  void metersAreNotReadOnAnEventLoop(String path) throws Exception {
    URI uri = URI.create("http://" + listeners.open().get("management") + path);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    assertEquals(200, answer.statusCode());
    assertFalse(threads.isEmpty());
    List<String> others =
        threads.stream().filter(name -> !name.startsWith("galop-metrics")).toList();
    assertEquals(List.of(), others);
  }
}
