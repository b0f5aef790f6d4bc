package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.galop.broadcast.edge.TestTokens;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that change while a node runs, and a place for them that fails. */
@Tag("slow")
@Timeout(180)
class JwksRotationTest extends FeedTest {
  private static final String SETTINGS = "broadcast.token.jwks.";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @TempDir private Path directory;
  private TestTokens first;
  private TestTokens second;
  private HttpServer server;
  private volatile Answer answer;

  /** What the server does with a request. */
  private interface Answer {
    void to(HttpExchange exchange) throws IOException, InterruptedException;
  }

  @BeforeEach
  void startServer() throws Exception {
    first = TestTokens.of("ES256", directory);
    second = TestTokens.of("EdDSA", directory);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/keys",
        exchange -> {
          asked.incrementAndGet();
          try (exchange) {
            answer.to(exchange);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
  }

  @AfterEach
  void stopServer() {
    over.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys";
  }

  private static String set(JsonObject... keys) {
    return new JsonObject().put("keys", new JsonArray(Arrays.asList(keys))).encode();
  }

  private static Answer says(int status, String body) {
    return exchange -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  private String token(TestTokens issuer, String kid) {
    return issuer.token(kid, TestTokens.claims("anna", 600, "#"));
  }

  private HttpResponse<String> info(String token) {
    URI uri = URI.create("http://127.0.0.1:" + feed.port() + "/live/info?token=" + token);
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitStatus(int status, String token) throws Exception {
    LiveClient.await("status " + status, () -> info(token).statusCode() == status);
  }

  private double keys(String what) {
    return feed.node.meters().get("galop.broadcast.token.keys" + what).gauge().value();
  }

  private LiveClient connect(String token) throws Exception {
    return LiveClient.connect(feed.vertx, feed.port(), "/live/websocket?token=" + token);
  }

  private void write(String text) throws IOException {
    Path next = Files.writeString(directory.resolve("next"), text);
    Files.move(next, directory.resolve("keys.json"), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void keysOfAFileAreExchangedWithoutARestart() throws Exception {
    write(set(first.jwk("a")));
    start(SETTINGS + "file=" + directory.resolve("keys.json"));
    String old = token(first, "a");
    String next = token(second, "b");
    assertEquals(200, info(old).statusCode());
    assertEquals(401, statusOfUnknown(next));
    LiveClient viewer = connect(old);
    viewer.register("a");

    write(set(first.jwk("a"), second.jwk("b")));
    awaitStatus(200, next);
    assertEquals(2, keys(""));
    viewer.settle();
    LiveClient stays = connect(next);

    write("{\"keys\":[");
    LiveClient.await("stale", () -> keys(".stale") == 1);
    assertEquals(200, info(old).statusCode(), "the last good keys count");
    assertTrue(feed.node.readiness().warnings().get("viewer-keys").contains("not JSON"));

    write(set(second.jwk("b")));
    LiveClient.await("sent away", viewer::isClosed);
    assertEquals((short) 3503, viewer.closeCode());
    assertEquals("token_key_gone", viewer.awaitFirst("err").getString("body"));
    HttpResponse<String> refused = info(old);
    assertEquals(401, refused.statusCode());
    assertEquals("token_key_gone", new JsonObject(refused.body()).getString("reason"));
    assertEquals(0, keys(".stale"));
    assertFalse(feed.node.readiness().warnings().containsKey("viewer-keys"));
    stays.settle();
  }

  /** It may be asked to come back while the file is read again because of it. */
  private int statusOfUnknown(String token) throws Exception {
    int[] status = {0};
    LiveClient.await(
        "read again",
        () -> {
          status[0] = info(token).statusCode();
          return status[0] != 503;
        });
    return status[0];
  }

  @Test
  void aPollIsToldThatItsKeyIsGone() throws Exception {
    write(set(first.jwk("a")));
    start(SETTINGS + "file=" + directory.resolve("keys.json"));
    String query = "?token=" + token(first, "a");
    URI uri = URI.create("http://127.0.0.1:" + feed.port() + "/live/1/s/xhr" + query);
    HttpRequest poll =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()).build();
    assertEquals("o\n", http.send(poll, BodyHandlers.ofString()).body());
    write(set(second.jwk("b")));
    String said = "";
    while (!said.contains("c[")) {
      HttpResponse<String> one = http.send(poll, BodyHandlers.ofString());
      assertEquals(200, one.statusCode(), one.body());
      said += one.body();
    }
    assertTrue(said.contains("token_key_gone") && said.contains("c[3503,"), said);
  }

  @Test
  void keysOfAnAddressOutliveItsFaults() throws Exception {
    answer = says(200, set(first.jwk("a")));
    start(
        SETTINGS + "url=" + url(),
        SETTINGS + "refreshSeconds=1",
        SETTINGS + "timeoutMs=500",
        SETTINGS + "maxBytes=4096");
    String old = token(first, "a");
    assertEquals(200, info(old).statusCode());
    Answer hangs = exchange -> over.await(1, TimeUnit.MINUTES);
    Answer drips =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          while (!over.await(100, TimeUnit.MILLISECONDS)) {
            exchange.getResponseBody().write(' ');
            exchange.getResponseBody().flush();
          }
        };
    Answer[] faults = {
      says(500, "{}"),
      says(200, "<html>garbage</html>"),
      says(200, set()),
      says(200, set(first.jwk("a")) + " ".repeat(5000)),
      exchange -> {
        exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/");
        exchange.sendResponseHeaders(302, -1);
      },
      hangs,
      drips,
    };
    for (Answer fault : faults) {
      answer = fault;
      int before = asked.get();
      LiveClient.await("asked", () -> asked.get() > before + 1);
      LiveClient.await("stale", () -> keys(".stale") == 1);
      assertEquals(200, info(old).statusCode(), "the last good keys count");
      answer = says(200, set(first.jwk("a")));
      LiveClient.await("good again", () -> keys(".stale") == 0);
    }
    answer = says(200, set(second.jwk("b")));
    awaitStatus(200, token(second, "b"));
    assertEquals(401, info(old).statusCode());
  }

  @Test
  void anUnknownKeyIsLookedForOnceInAnInterval() throws Exception {
    answer = says(200, set(first.jwk("a")));
    start(SETTINGS + "url=" + url(), SETTINGS + "refreshSeconds=3600");
    assertEquals(1, asked.get());
    answer = says(200, set(first.jwk("a"), second.jwk("b")));
    String next = token(second, "b");
    HttpResponse<String> wait = info(next);
    assertEquals(503, wait.statusCode());
    assertEquals("keys_awaited", new JsonObject(wait.body()).getString("reason"));
    assertEquals("1", wait.headers().firstValue("Retry-After").orElse(""));
    awaitStatus(200, next);
    for (int i = 0; i < 20; i++) {
      HttpResponse<String> unknown = info(token(second, "c" + i));
      assertEquals(401, unknown.statusCode(), unknown.body());
    }
    assertEquals(2, asked.get());
  }

  @Test
  void aNodeStartsWithoutKeysAndLetsNobodyIn() throws Exception {
    answer = says(503, "");
    feed = TestFeed.start(SETTINGS + "url=" + url());
    String token = token(first, "a");
    assertEquals(503, info(token).statusCode());
    assertFalse(feed.node.readiness().isReady());
    assertEquals("", feed.node.readiness().reasons().containsKey("viewer-keys") ? "" : "is ready");
    answer = says(200, set(first.jwk("a")));
    awaitStatus(200, token);
    feed.awaitReady();
  }
}
