package io.galop.broadcast.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import io.galop.config.ConfigSource;
import io.galop.config.GalopConfig;
import io.galop.node.LiveConfig;
import io.galop.node.Readiness;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys change by themselves, too, while a node gets ready for another configuration. */
@Timeout(60)
class TokenKeySourceTest {
  @TempDir Path directory;
  private volatile String set;

  private GalopConfig config(String url, int refreshSeconds) throws Exception {
    String yaml =
        "broadcast: {token: {jwks: {url: '%s', refreshSeconds: %d}}}"
            .formatted(url, refreshSeconds);
    Path file = Files.writeString(directory.resolve("c.yaml"), yaml);
    List<String> sets = List.of("node.dataDir=" + directory);
    return new ConfigSource(Optional.of(file), Map.of(), sets, Map.of()).load();
  }

  private static String set(JsonObject... keys) {
    return new JsonObject().put("keys", new JsonArray(List.of(keys))).encode();
  }

  private HttpServer publisher() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = set.getBytes(UTF_8);
          try (exchange) {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
    return server;
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private record Other() implements LiveConfig.Prepared {
    @Override
    public Future<Void> take() {
      return Future.succeededFuture();
    }

    @Override
    public void leave() {
      // It has nothing.
    }
  }

  @Test
  void aKeyThatGoesWhileOthersGetReadyDoesNotComeBack() throws Exception {
    JsonObject leaked = TestTokens.of("ES256", directory).jwk("a");
    JsonObject good = TestTokens.of("EdDSA", directory).jwk("b");
    set = set(leaked, good);
    HttpServer server = publisher();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    GalopConfig first = config(url, 1);
    TokenKeys keys = TokenKeys.of(first.broadcast().token());
    JwksMeters meters = new JwksMeters(new SimpleMeterRegistry(), keys);
    LiveConfig live = new LiveConfig(first);
    Promise<LiveConfig.Prepared> slow = Promise.promise();
    live.offerPrepared("node", next -> slow.future());
    Vertx vertx = Vertx.vertx();
    try {
      Promise<Void> started = Promise.promise();
      vertx.runOnContext(
          now ->
              new TokenKeySource(
                      vertx, keys, meters, new Readiness(), () -> Future.succeededFuture(0))
                  .start(first.broadcast().token(), live)
                  .onComplete(started));
      get(started.future());
      Future<Void> change = live.change(config(url, 300), List.of("broadcast.token.jwks", "node"));
      Thread.sleep(500); // it has read the set, and waits for the other part
      set = set(good);
      while (keys.now().size() == 2) {
        Thread.sleep(20); // the reader in force looks once a second
      }
      slow.complete(new Other());
      get(change);
      assertEquals(1, keys.now().size());
    } finally {
      server.stop(0);
      get(vertx.close());
    }
  }
}
