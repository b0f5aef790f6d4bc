package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.record;
import static io.galop.persist.TestNode.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.Cluster;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.persist.history.HistoryEndpoint;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.servers.Http1;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(180)
class HistoryTest {
  private static final int SHARDS = 4;
  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster(SHARDS);
  private Vertx vertx;
  private TestNode one;
  private TestNode two;
  private int port;

  /** Two nodes with the role persist, and a third with the endpoint only. */
  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    Cluster first = cluster.join("n1", "one", Role.PERSIST);
    Cluster second = cluster.join("n2", "two", Role.PERSIST);
    Cluster third = cluster.join("n3", "three", Role.BROADCAST);
    one = TestNode.start(vertx, first, TestNode.config(directory.resolve("1"), "node.shards=4"));
    two = TestNode.start(vertx, second, TestNode.config(directory.resolve("2"), "node.shards=4"));
    one.awaitReady();
    two.awaitReady();
    Bus bus = Bus.open(vertx, third, one.node.config().cluster());
    Node asker =
        new Node(
            one.node.config(), bus, new SimpleMeterRegistry(), new Readiness(), new Listeners());
    Router router = Router.router(vertx);
    new HistoryEndpoint(asker, Optional.empty(), TestNode.answerBudget(asker)).mount(router);
    port =
        await(vertx.createHttpServer(Http1.options()).requestHandler(router).listen(0, "127.0.0.1"))
            .actualPort();
  }

  @AfterEach
  void stop() throws Exception {
    one.stop();
    two.stop();
    await(vertx.close());
  }

  private void send(Record record) throws Exception {
    int shard = Topic.shard(record.topic(), SHARDS);
    await(one.bus().persist().send(Batch.unplaced(shard, List.of(record))));
  }

  private HttpResponse<String> get(String path, String accept) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/history/" + path))
            .header("Accept", accept)
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private List<String> ids(String path) throws Exception {
    HttpResponse<String> response = get(path, "*/*");
    assertEquals(200, response.statusCode(), response.body());
    return new JsonArray(response.body())
        .stream().map(one -> ((JsonObject) one).getString("id")).toList();
  }

  private static List<String> expected(int... numbers) {
    return IntStream.of(numbers).mapToObj(n -> "s/" + n % 7 + "-" + n).toList();
  }

  /** Seven topics, so that both nodes and all shards have some. */
  private void sendNumbers(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      send(record("s/" + i % 7, i));
    }
  }

  @Test
  void everyNodesRecordsOnceInOrderWhereverTheyAre() throws Exception {
    sendNumbers(20);
    int[] all = IntStream.range(0, 20).toArray();
    assertEquals(expected(all), ids("s/%23"));
    until(() -> stored(one) + stored(two) == 20);
    assertTrue(stored(one) > 0 && stored(two) > 0, "both nodes own some of the topics");
    assertEquals(expected(all), ids("s%2F%23"));
    assertEquals(expected(19, 18, 17), ids("s/+?order=desc&limit=3"));
    assertEquals(expected(5, 6), ids("s/%23?from=5000000&to=1970-01-01T00:00:06Z"));
    assertEquals(expected(3, 10, 17), ids("s/3"));
    assertEquals(List.of(), ids("nothing/here"));
  }

  private static long stored(TestNode node) {
    return (long) node.meters.get("galop.persist.sink.stored").counter().count();
  }

  @Test
  void whatIsOnlyInTheColdStoreIsFound() throws Exception {
    sendNumbers(5);
    until(() -> stored(one) + stored(two) == 5);
    for (int shard = 0; shard < SHARDS; shard++) {
      one.storage.memory(shard).close();
      two.storage.memory(shard).close();
    }
    assertEquals(expected(0, 1, 2, 3, 4), ids("s/%23"));
  }

  @Test
  void pagesGoOnWhereTheLastOneEnded() throws Exception {
    sendNumbers(10);
    for (boolean newestFirst : new boolean[] {false, true}) {
      List<String> found = new ArrayList<>();
      for (TestNode node : List.of(one, two)) {
        String next = "";
        do {
          HistoryQuery query =
              new HistoryQuery("#", Long.MIN_VALUE, Long.MAX_VALUE, 2, newestFirst, next);
          Page page =
              await(one.bus().history().query(node.node.bus().cluster().self().id(), query));
          page.records().forEach(placed -> found.add(placed.record().id()));
          next = page.next();
        } while (!next.isEmpty());
      }
      assertEquals(10, found.size());
      assertEquals(10, found.stream().distinct().count());
    }
  }

  @Test
  void anAnswerThatIsLargerThanAPageComesWhole() throws Exception {
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      byte[] data = ("{\"pad\":\"" + "x".repeat(400_000) + "\"}").getBytes(UTF_8);
      sent.add(0, "big-" + i);
      send(new Record("big-" + i, "big", 30 - i, data));
    }
    assertEquals(sent, ids("big"));
    Collections.reverse(sent);
    assertEquals(sent, ids("big?order=desc"));
  }

  @Test
  void linesAndTheirFields() throws Exception {
    byte[] data = "{\"a\":\n1}".getBytes(UTF_8);
    send(new Record("i\"d", "t/é", 5, data));
    HttpResponse<String> response = get("t/%C3%A9", "application/x-ndjson");
    assertEquals("application/x-ndjson", response.headers().firstValue("content-type").get());
    JsonObject line = new JsonObject(response.body());
    assertEquals(1, response.body().lines().count());
    assertEquals("i\"d", line.getString("id"));
    assertEquals("t/é", line.getString("topic"));
    assertEquals(5, line.getLong("time"));
    assertEquals(new JsonObject().put("a", 1), line.getJsonObject("data"));
    assertTrue(line.getString("pos").matches("\\d+\\.\\d+-1"), response.body());
  }

  /** On one connection, where a body would be taken for the next answer. */
  @Test
  void headIsAnsweredLikeGetWithoutABody() throws Exception {
    sendNumbers(20);
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (String path :
        List.of("s/%23", "s/%23?format=csv", "s/%23?every=1s&fields=number", "s/%23?limit=no")) {
      URI uri = URI.create("http://127.0.0.1:" + port + "/history/" + path);
      HttpRequest.Builder request = HttpRequest.newBuilder(uri);
      HttpResponse<String> head =
          client.send(
              request.method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
              HttpResponse.BodyHandlers.ofString());
      HttpResponse<String> get =
          client.send(request.GET().build(), HttpResponse.BodyHandlers.ofString());
      assertEquals(path.endsWith("no") ? 400 : 200, head.statusCode(), path);
      assertEquals(get.statusCode(), head.statusCode(), path);
      assertEquals("", head.body());
      assertTrue(get.body().length() > 2, get.body());
      for (String name : List.of("Content-Type", "Cache-Control", "Vary")) {
        assertEquals(get.headers().allValues(name), head.headers().allValues(name), name);
      }
    }
  }

  @Test
  void galopsOwnTopicsOnlyWhenAskedFor() throws Exception {
    send(record("$dead-letter/x", 1));
    send(record("x", 2));
    assertEquals(List.of("x-2"), ids("%23"));
    assertEquals(List.of("$dead-letter/x-1"), ids("$dead-letter/%23"));
  }

  @Test
  void aWrongParameterIsNamed() throws Exception {
    HttpResponse<String> response = get("s?limit=ten", "*/*");
    assertEquals(400, response.statusCode());
    assertEquals(
        "{\"error\":\"'limit' is 'ten'; expected a number from 1 to 10000\","
            + "\"reason\":\"invalid_parameter\"}\n",
        response.body());
  }

  @Test
  void aNodeThatDoesNotAnswerIsNamed() throws Exception {
    sendNumbers(10);
    cluster.join("n9", "gone", Role.PERSIST);
    HttpResponse<String> response = get("s/%23", "*/*");
    assertEquals(200, response.statusCode());
    assertEquals("gone", response.headers().firstValue("X-Galop-Incomplete").orElse(""));
    assertEquals(10, new JsonArray(response.body()).size());
  }

  @Test
  void aNodeThatWasThereAndHasGoneIsNamed() throws Exception {
    sendNumbers(10);
    cluster.leave("n2");
    cluster.announce();
    HttpResponse<String> response = get("s/%23", "*/*");
    assertEquals(200, response.statusCode());
    assertEquals("two", response.headers().firstValue("X-Galop-Incomplete").orElse(""));
    double placed = one.meters.get("galop.persist.records").counter().count();
    assertEquals(placed, new JsonArray(response.body()).size());
    assertTrue(placed < 10, "some are in the other node's store only");
  }

  @Test
  void withoutAnyNodeThereIsNoAnswer() throws Exception {
    cluster.leave("n1");
    cluster.leave("n2");
    HttpResponse<String> response = get("s/%23", "*/*");
    assertEquals(503, response.statusCode());
    assertEquals("unavailable", new JsonObject(response.body()).getString("reason"));
  }
}
