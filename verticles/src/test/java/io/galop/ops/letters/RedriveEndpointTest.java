package io.galop.ops.letters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.bus.Page;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.ops.access.AccessGate;
import io.galop.ops.access.Operators;
import io.galop.ops.audit.AuditTrail;
import io.galop.record.Position;
import io.galop.socket.Listeners;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While an order is followed, nothing is read of another one. */
@Timeout(120)
class RedriveEndpointTest {
  private static final String ORDER = "{\"ids\":[\"7:a#0\\t$dead-letter/script/s\"]}";

  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient http = HttpClient.newHttpClient();
  private final CountDownLatch isAsked = new CountDownLatch(1);
  private final Promise<Page> page = Promise.promise();

  @AfterEach
  void close() throws Exception {
    get(vertx.close());
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private CompletableFuture<HttpResponse<String>> post(int port, String body) {
    URI uri = URI.create("http://127.0.0.1:" + port + "/dead-letters/redrive");
    return http.sendAsync(
        HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  private HttpServer serve(Node node, AuditTrail trail) throws Exception {
    return get(
        Future.future(
            (Promise<HttpServer> served) ->
                vertx.runOnContext(
                    on -> {
                      Router router = Router.router(vertx);
                      router
                          .route()
                          .handler(
                              new AccessGate(
                                  new Operators(node.config()),
                                  false,
                                  node.meters(),
                                  (request, reason, why) -> request.fail(403)));
                      new RedriveEndpoint(node, RoutingContext::next, trail, Loop.current())
                          .mount(router);
                      vertx
                          .createHttpServer()
                          .requestHandler(router)
                          .listen(0, "127.0.0.1")
                          .onComplete(served);
                    })));
  }

  @Test
  void oneAtATime() throws Exception {
    GalopConfig config =
        ConfigLoader.load(
            Optional.empty(),
            Map.of(),
            List.of("node.dataDir=" + directory, "cluster.attemptTimeoutMs=60000"),
            Map.of());
    Bus bus = Bus.open(vertx, new LocalCluster("n", Set.of(Role.values()), 1), config.cluster());
    Node node = new Node(config, bus, new SimpleMeterRegistry(), new Readiness(), new Listeners());
    get(
        bus.history()
            .onQuery(
                query -> {
                  isAsked.countDown();
                  return page.future();
                })
            .completion());
    try (AuditTrail trail = new AuditTrail(node)) {
      int port = serve(node, trail).actualPort();
      CompletableFuture<HttpResponse<String>> first = post(port, ORDER);
      assertTrue(isAsked.await(60, TimeUnit.SECONDS));
      HttpResponse<String> second = post(port, "no order").get(60, TimeUnit.SECONDS);
      assertEquals(409, second.statusCode(), second.body());
      assertTrue(second.body().contains("under_way"), second.body());
      page.complete(new Page(true, Position.none(0), "", List.of()));
      HttpResponse<String> over = first.get(60, TimeUnit.SECONDS);
      assertTrue(over.body().contains("unknown_letter"), over.body());
      assertEquals(400, post(port, "no order").get(60, TimeUnit.SECONDS).statusCode());
    }
  }
}
