package io.galop.presence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.e2e.Await;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.servers.Http1;
import io.galop.socket.Listeners;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions who watches, at a node that is slow to answer. */
@Timeout(300)
class PresenceEndpointTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Promise<Buffer> report = Promise.promise();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private int serve() throws Exception {
    GalopConfig config = ConfigLoader.parse("", "test.yaml");
    Bus bus = Bus.open(vertx, new LocalCluster("n", Set.of(Role.BROADCAST), 8), config.cluster());
    bus.operators().onReport(question -> report.future());
    Node node = new Node(config, bus, meters, new Readiness(), new Listeners());
    Promise<HttpServer> server = Promise.promise();
    vertx.runOnContext(
        start -> {
          Router router = Router.router(vertx);
          new PresenceEndpoint(node, Loop.current(), true).mount(router.get(PresenceEndpoint.PATH));
          vertx
              .createHttpServer(Http1.options())
              .requestHandler(router)
              .listen(0, "127.0.0.1")
              .onComplete(server);
        });
    return server
        .future()
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS)
        .actualPort();
  }

  private static boolean isRefused(CompletableFuture<HttpResponse<String>> one) {
    return one.isDone() && !one.isCompletedExceptionally() && one.join().statusCode() != 200;
  }

  /** It gives a question up after three seconds, so they are asked until so many are under way. */
  @Test
  void moreThanSoManyAtOnceAreRefusedAndCounted() throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + serve() + "/presence?topic=a");
    HttpRequest question = HttpRequest.newBuilder(uri).build();
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    Await.until(
        "one is refused",
        120,
        () -> {
          for (int i = 0; i < 9; i++) {
            asked.add(HTTP.sendAsync(question, BodyHandlers.ofString()));
          }
          return asked.stream().anyMatch(PresenceEndpointTest::isRefused);
        });
    report.complete(new JsonObject("{\"viewers\":[3],\"relays\":[]}").toBuffer());
    List<HttpResponse<String>> refused = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> one : asked) {
      HttpResponse<String> answer = one.get(60, TimeUnit.SECONDS);
      if (answer.statusCode() != 200) {
        refused.add(answer);
      }
    }
    assertTrue(asked.size() - refused.size() >= 8, "so many are answered");
    for (HttpResponse<String> one : refused) {
      assertEquals(503, one.statusCode(), one.body());
      assertEquals("1", one.headers().firstValue("Retry-After").orElse(""));
      assertEquals("busy", new JsonObject(one.body()).getString("reason"));
    }
    assertEquals(refused.size(), meters.get("galop.presence.refused").counter().count());
  }
}
