package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.persist.history.HistoryEndpoint;
import io.galop.record.Topic;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who asks what somebody else has asked before gets the same bytes, but never old ones. */
@Tag("slow")
@Timeout(180)
class HistoryCacheTest {
  private static final int SHARDS = 4;
  private static final int SHARD = Topic.shard("t", SHARDS);
  @TempDir Path directory;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Vertx vertx;
  private TestNode node;
  private int port;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    LocalCluster alone = new LocalCluster("one", Set.of(Role.values()), SHARDS);
    node =
        TestNode.start(
            vertx,
            alone,
            TestNode.config(
                directory,
                "node.shards=" + SHARDS,
                "persist.cold.enabled=false",
                "persist.history.cacheBytes=1000000"));
    node.awaitReady();
    Router router = Router.router(vertx);
    new HistoryEndpoint(
            node.node, Optional.of(node.storage.answers()), TestNode.answerBudget(node.node))
        .mount(router);
    // So small that an answer does not leave before somebody reads it.
    HttpServerOptions options = new HttpServerOptions().setSendBufferSize(4096);
    port =
        await(vertx.createHttpServer(options).requestHandler(router).listen(0, "127.0.0.1"))
            .actualPort();
  }

  @AfterEach
  void stop() throws Exception {
    node.stop();
    await(vertx.close());
  }

  private String get(String path, String accept) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/history/" + path))
            .header("Accept", accept)
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    return answer.body();
  }

  private double hits() {
    return count("hit");
  }

  private double bytes() {
    return node.meters.get("galop.history.cache.bytes").gauge().value();
  }

  private void send(int from, int to) throws Exception {
    await(node.bus().persist().send(batch(SHARD, "t", from, to)));
  }

  @Test
  void theSameQuestionIsAnsweredByTheSameBytes() throws Exception {
    send(0, 1_000);
    String first = get("t?limit=1000", "*/*");
    for (int i = 1; i <= 20; i++) {
      assertEquals(first, get("t?limit=1000", "*/*"));
    }
    assertEquals(20, hits());
    assertEquals(1_000, new JsonArray(first).size());
    assertEquals(first.length(), bytes());
    assertNotEquals(first, get("t?limit=1000", "application/x-ndjson"));
    assertNotEquals(first, get("t?limit=1000&order=desc", "*/*"));
    assertEquals(20, hits());
  }

  @Test
  void whatHasComeSinceIsInTheNextAnswer() throws Exception {
    send(0, 3);
    assertEquals(3, new JsonArray(get("t", "*/*")).size());
    assertEquals(3, new JsonArray(get("%23", "*/*")).size());
    for (int i = 3; i < 50; i++) {
      send(i, i + 1);
      assertEquals(i + 1, new JsonArray(get("t", "*/*")).size());
      assertEquals(i + 1, new JsonArray(get("%23", "*/*")).size());
    }
    assertEquals(0, hits());
  }

  @Test
  void whoAskTogetherShareOneSearch() throws Exception {
    send(0, 1_000);
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      asked.add(http.sendAsync(request("t?limit=1000"), HttpResponse.BodyHandlers.ofString()));
    }
    String first = asked.get(0).get().body();
    assertEquals(1_000, new JsonArray(first).size());
    for (CompletableFuture<HttpResponse<String>> one : asked) {
      assertEquals(200, one.get().statusCode());
      assertEquals(first, one.get().body());
    }
    assertEquals(1, count("miss"));
    assertEquals(59, count("hit") + count("shared"));
  }

  @Test
  void nobodyGetsAnAnswerThatBeganBeforeHeAsked() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    List<Integer> known = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      send(i, i + 1);
      for (int client = 0; client < 3; client++) {
        known.add(i + 1);
        asked.add(http.sendAsync(request("t?limit=1000"), HttpResponse.BodyHandlers.ofString()));
      }
    }
    for (int i = 0; i < asked.size(); i++) {
      int size = new JsonArray(asked.get(i).get().body()).size();
      assertTrue(size >= known.get(i), size + " records, " + known.get(i) + " were there before");
    }
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/history/" + path))
        .build();
  }

  private double count(String result) {
    return node.meters.get("galop.history.cache").tag("result", result).counter().count();
  }

  @Test
  void theLongestUnaskedAnswersGoWhenThereIsNoRoom() throws Exception {
    send(0, 1_500);
    for (int limit = 1_400; limit < 1_440; limit++) {
      get("t?limit=" + limit, "*/*");
      assertEquals(true, bytes() > 0 && bytes() <= 1_000_000, bytes() + " bytes");
    }
    get("t?limit=1439", "*/*");
    get("t?limit=1400", "*/*");
    assertEquals(1, hits());
    node.storage.answers().close();
    assertEquals(0, bytes());
  }

  @Test
  void whatHasBeenSentAndIsNotKeptIsFreed() throws Exception {
    send(0, 1_500);
    long before = directBytes();
    long sent = 0;
    for (int limit = 1_300; limit < 1_500; limit++) {
      sent += get("t?limit=" + limit, "*/*").length();
    }
    assertTrue(sent > 10_000_000, sent + " bytes");
    awaitThat(() -> directBytes() - before <= 1_100_000);
  }

  private static long directBytes() {
    return UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  /** Who asks and reads nothing. */
  private Socket slow(String path) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(1024);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    String ask = "GET /history/" + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.getOutputStream().write(ask.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void slowReadersOfManyAnswersGetThemPieceByPiece() throws Exception {
    send(0, 1_500);
    List<Socket> slow = new ArrayList<>();
    try {
      for (int limit = 1_300; limit < 1_360; limit++) {
        slow.add(slow("t?limit=" + limit));
      }
      awaitThat(() -> count("crowded") > 20);
      assertTrue(leaving() > 700_000 && leaving() < 1_500_000, leaving() + " bytes");
      assertEquals(1_250, new JsonArray(get("t?limit=1250", "*/*")).size());
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    awaitThat(() -> leaving() == 0);
  }

  /** What was gathered before it was too long is in memory until its reader has taken it. */
  @Test
  void whatIsTooLongToBeKeptCountsUntilItHasLeft() throws Exception {
    send(0, 5_000);
    try (Socket slow = slow("t?limit=5000")) {
      awaitThat(() -> leaving() > 150_000);
      assertTrue(leaving() <= 250_000, leaving() + " bytes");
      assertEquals(0, count("crowded"), "there is room, it is too long");
      assertEquals(5_000, new JsonArray(get("t?limit=5000", "*/*")).size());
      assertTrue(leaving() > 150_000, "nobody has read the other one");
    }
    awaitThat(() -> leaving() == 0);
  }

  private double leaving() {
    return node.meters.get("galop.history.leaving.bytes").gauge().value();
  }

  private static void awaitThat(BooleanSupplier isSo) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!isSo.getAsBoolean() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertTrue(isSo.getAsBoolean());
  }
}
