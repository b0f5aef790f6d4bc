package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
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
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A publisher that got no answer repeats its records, and the door gives each attempt another time:
 * two nodes have them, or a node and its store, and an answer about the past has each once.
 */
@Timeout(180)
class RepeatedRecordsTest {
  private static final int SHARDS = 4;
  private static final int RECORDS = 64;
  private static final int TOPICS = 8;
  private static final long FIRST_US = 1_000_000;
  private static final long LATER_US = 1_000_020;

  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final List<TestNode> running = new ArrayList<>();
  private int port;

  @AfterEach
  void stop() throws Exception {
    stopAll();
    await(vertx.close());
  }

  private void stopAll() throws Exception {
    for (TestNode node : running) {
      node.stop();
    }
    running.clear();
  }

  private void start(String... names) throws Exception {
    TestCluster cluster = new TestCluster(SHARDS);
    List<Cluster> all = new ArrayList<>();
    for (String name : names) {
      all.add(cluster.join("n-" + name, name, Role.PERSIST));
    }
    Cluster front = cluster.join("n-front", "front", Role.BROADCAST);
    for (int i = 0; i < names.length; i++) {
      String[] settings = {"node.shards=" + SHARDS, "persist.rememberedIds=64"};
      running.add(
          TestNode.start(
              vertx, all.get(i), TestNode.config(directory.resolve(names[i]), settings)));
    }
    for (TestNode node : running) {
      node.awaitReady();
    }
    Bus bus = Bus.open(vertx, front, running.get(0).node.config().cluster());
    Node asker =
        new Node(
            running.get(0).node.config(),
            bus,
            new SimpleMeterRegistry(),
            new Readiness(),
            new Listeners());
    Router router = Router.router(vertx);
    new HistoryEndpoint(asker, Optional.empty(), TestNode.answerBudget(asker)).mount(router);
    port =
        await(vertx.createHttpServer(Http1.options()).requestHandler(router).listen(0, "127.0.0.1"))
            .actualPort();
  }

  private void send(int number, long timeUs) throws Exception {
    Record record =
        new Record("r" + number, "s/" + number % TOPICS, timeUs + number, new byte[] {'{', '}'});
    int shard = Topic.shard(record.topic(), SHARDS);
    await(running.get(0).bus().persist().send(Batch.unplaced(shard, List.of(record))));
  }

  private List<JsonObject> history(String query) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/history/s/%23?" + query))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    return new JsonArray(answer.body()).stream().map(one -> (JsonObject) one).toList();
  }

  private static List<String> ids(List<JsonObject> records) {
    return records.stream().map(one -> one.getString("id")).toList();
  }

  @Test
  void whatTwoNodesHaveOfOneRecordIsOneInAnAnswer() throws Exception {
    start("a");
    for (int n = 0; n < RECORDS; n++) {
      send(n, FIRST_US);
    }
    stopAll();
    start("b");
    for (int n = RECORDS / 3; n < RECORDS; n++) {
      send(n, LATER_US);
    }
    stopAll();
    start("a", "b");
    List<JsonObject> up = history("limit=1000");
    assertEquals(RECORDS, up.size(), ids(up).toString());
    assertEquals(RECORDS, new TreeSet<>(ids(up)).size());
    List<JsonObject> down = new ArrayList<>(history("limit=1000&order=desc"));
    Collections.reverse(down);
    assertEquals(up, down, "the same attempt of each, whichever comes first");
    for (String order : List.of("asc", "desc")) {
      List<String> some = ids(history("limit=40&order=" + order));
      assertEquals(40, some.size());
      assertEquals(40, new TreeSet<>(some).size(), some.toString());
    }
  }

  @Test
  void whatAStoreAndTheMemoryHaveOfOneRecordIsOneInAnAnswer() throws Exception {
    start("a");
    send(0, FIRST_US);
    for (int n = 1; n <= 100; n++) {
      send(n * TOPICS, FIRST_US);
    }
    send(0, LATER_US);
    TestNode.until(() -> stored() >= 101);
    List<JsonObject> all = history("limit=1000");
    assertEquals(101, all.size());
    assertEquals(101, new TreeSet<>(ids(all)).size());
    assertEquals(FIRST_US, all.get(0).getLong("time"), "the first attempt, as in the store");
    List<JsonObject> down = new ArrayList<>(history("limit=1000&order=desc"));
    Collections.reverse(down);
    assertEquals(all, down);
    assertTrue(ids(history("limit=1&order=desc")).size() == 1);
  }

  private double stored() {
    return running
        .get(0)
        .meters
        .get("galop.persist.sink.stored")
        .tag("sink", "embedded")
        .counter()
        .count();
  }
}
