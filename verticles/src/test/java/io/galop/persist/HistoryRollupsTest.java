package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.cluster.Cluster;
import io.galop.config.GalopConfig;
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
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that come from roll-ups equal those that are folded from the records, whatever is asked: two
 * nodes keep both, and of two that ask only one knows the rules.
 */
@Tag("slow")
@Timeout(300)
class HistoryRollupsTest {
  private static final int SHARDS = 4;
  private static final long SECOND_US = 1_000_000;
  private static final long HOUR_US = 3_600 * SECOND_US;
  private static final String RULES =
      "persist.rollups.rules=[{topics: 's/#', fields: [n, m.c]}, {topics: 's/1', fields: [x]}]";

  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster(SHARDS);
  private final HttpClient client = HttpClient.newHttpClient();
  private Vertx vertx;
  private Bus asking;
  private TestNode one;
  private TestNode two;
  private boolean isTwoThere = true;

  /** Words of X-Galop-Incomplete that are right. */
  private Set<String> mayLack = Set.of("");

  private int rolledPort;
  private int foldedPort;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    one = storing("n1", "one", RULES, "persist.rollups.flushMs=200");
    two = storing("n2", "two", RULES, "persist.rollups.flushMs=200");
    one.awaitReady();
    two.awaitReady();
    asking =
        Bus.open(vertx, cluster.join("n3", "three", Role.BROADCAST), one.node.config().cluster());
    rolledPort = asker(RULES);
    foldedPort = asker("persist.rollups.rules=[]");
  }

  private TestNode storing(String id, String name, String... sets) throws Exception {
    List<String> all = new ArrayList<>(List.of(sets));
    all.add("node.shards=" + SHARDS);
    Cluster joined = cluster.join(id, name, Role.PERSIST);
    return TestNode.start(
        vertx, joined, TestNode.config(directory.resolve(name), all.toArray(new String[0])));
  }

  private int asker(String rules) throws Exception {
    GalopConfig config =
        TestNode.config(
            directory.resolve("3"),
            "node.shards=" + SHARDS,
            "persist.history.maxFolded=1000000",
            rules);
    Node asker =
        new Node(config, asking, new SimpleMeterRegistry(), new Readiness(), new Listeners());
    Router router = Router.router(vertx);
    new HistoryEndpoint(asker, Optional.empty(), TestNode.answerBudget(asker)).mount(router);
    return await(
            vertx.createHttpServer(Http1.options()).requestHandler(router).listen(0, "127.0.0.1"))
        .actualPort();
  }

  @AfterEach
  void stop() throws Exception {
    one.stop();
    if (isTwoThere) {
      two.stop();
    }
    await(vertx.close());
  }

  private void send(List<Record> records) throws Exception {
    var byShard =
        records.stream().collect(Collectors.groupingBy(one -> Topic.shard(one.topic(), SHARDS)));
    for (var shard : byShard.entrySet()) {
      List<Record> of = shard.getValue();
      for (int from = 0; from < of.size(); from += 500) {
        List<Record> part = of.subList(from, Math.min(of.size(), from + 500));
        await(one.bus().persist().send(Batch.unplaced(shard.getKey(), part)));
      }
    }
  }

  /** So many of five topics over some hours, in no order; sums of quarters are exact. */
  private List<Record> readings(Random random, String ids, int count) {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long timeUs = (long) i * 6 * HOUR_US / count - HOUR_US + ids.hashCode() % 977;
      String n = random.nextInt(9) == 0 ? "\"none\"" : (random.nextInt(4_000) - 2_000) / 4.0 + "";
      String data = "{\"n\":%s,\"m\":{\"c\":%d},\"x\":%d}".formatted(n, i, i % 7);
      records.add(new Record(ids + i, "s/" + i % 5, timeUs, data.getBytes(UTF_8)));
    }
    Collections.shuffle(records, random);
    return records;
  }

  private HttpResponse<String> get(int port, String question) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/history/" + question))
            .header("Accept", "application/x-ndjson")
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.body());
    return response;
  }

  /** Page by page, where there are more. */
  private String all(int port, String question) throws Exception {
    StringBuilder all = new StringBuilder();
    String after = "";
    do {
      HttpResponse<String> page = get(port, question + after);
      String lacks = page.headers().firstValue("X-Galop-Incomplete").orElse("");
      assertTrue(mayLack.contains(lacks), lacks);
      all.append(page.body());
      String next = page.headers().firstValue("X-Galop-Next").orElse("");
      after = next.isEmpty() ? "" : "&after=" + next;
    } while (!after.isEmpty());
    return all.toString();
  }

  private double rolled() {
    return one.meters.get("galop.history.rolled.rows").counter().count()
        + (isTwoThere ? two.meters.get("galop.history.rolled.rows").counter().count() : 0);
  }

  private String question(Random random) {
    String filter = List.of("s/1", "s/%2B", "s/%23", "s/3").get(random.nextInt(4));
    String every = List.of("1m", "5m", "30m", "1h", "2h", "1d", "60s").get(random.nextInt(7));
    String fields = List.of("n", "m.c", "n,m.c").get(random.nextInt(3));
    String question = filter + "?every=" + every + "&fields=" + fields;
    question += random.nextBoolean() ? "&order=desc" : "";
    question += random.nextInt(3) == 0 ? "&limit=" + (1 + random.nextInt(60)) : "";
    long from = random.nextInt(6 * 3600) - 3_600;
    boolean isAligned = random.nextBoolean();
    question +=
        random.nextInt(3) == 0
            ? "&from=" + (isAligned ? from / 60 * 60 * SECOND_US : from * SECOND_US + 17)
            : "";
    long to = from + 1 + random.nextInt(3 * 3600);
    question += random.nextInt(3) == 0 ? "&to=" + to * SECOND_US : "";
    return question;
  }

  private void assertSame(Random random, int questions) throws Exception {
    for (int i = 0; i < questions; i++) {
      String question = question(random);
      List<String> folded = all(foldedPort, question).lines().toList();
      List<String> rolled = all(rolledPort, question).lines().toList();
      for (int row = 0; row < Math.min(folded.size(), rolled.size()); row++) {
        assertEquals(folded.get(row), rolled.get(row), question + ", row " + row);
      }
      assertEquals(folded.size(), rolled.size(), question);
    }
  }

  @Test
  void whateverIsAskedIsTheSameAsFromTheRecords() throws Exception {
    Random random = new Random(5);
    send(readings(random, "a", 6_000));
    double before = rolled();
    String day = "s/%23?every=1m&fields=n,m.c";
    String rows = all(rolledPort, day);
    assertTrue(rolled() > before, "rows of roll-ups");
    assertEquals(all(foldedPort, day), rows);
    assertTrue(rows.lines().count() > 1_000, "rows");
    assertSame(random, 120);
    send(readings(random, "late", 500));
    assertSame(random, 60);
    before = rolled();
    get(rolledPort, "s/1?every=1m&fields=x&limit=5");
    assertTrue(rolled() > before, "a rule of its own");
    before = rolled();
    for (String other :
        List.of(
            "s/%23?every=1m&fields=x",
            "s/1?every=1m&fields=n,no",
            "s/1?every=90m&fields=n",
            "s/1?every=10s&fields=n",
            "%23?every=1m&fields=n")) {
      assertEquals(all(foldedPort, other), all(rolledPort, other), other);
    }
    assertEquals(before, rolled(), "no rule means all of these, or no minute does");
  }

  @Test
  void theyOutliveARestartAndAnOwner() throws Exception {
    Random random = new Random(6);
    send(readings(random, "a", 2_000));
    one.stop();
    cluster.leave("n1");
    one = storing("n1", "one", RULES, "persist.rollups.flushMs=200");
    one.awaitReady();
    send(readings(random, "b", 2_000));
    assertSame(random, 40);
    two.stop();
    isTwoThere = false;
    cluster.leave("n2");
    until(() -> one.readiness().reasons().isEmpty());
    send(readings(random, "c", 2_000));
    String asked = "s/%23?every=1h&fields=n";
    HttpResponse<String> rest = get(rolledPort, asked);
    assertEquals("two", rest.headers().firstValue("X-Galop-Incomplete").orElse(""));
    assertTrue(rest.body().lines().count() > 0, "rows of the node that is there");
    two = storing("n2", "two", RULES);
    isTwoThere = true;
    two.awaitReady();
    one.awaitReady();
    assertSame(random, 40);
  }

  @Test
  void secondCopiesCountOnce() throws Exception {
    one.stop();
    two.stop();
    cluster.leave("n1");
    cluster.leave("n2");
    one = storing("n1", "one", RULES, "persist.ack=replica", "cluster.members=[127.0.0.1:1]");
    two = storing("n2", "two", RULES, "persist.ack=replica", "cluster.members=[127.0.0.1:1]");
    one.awaitReady();
    two.awaitReady();
    Random random = new Random(8);
    send(readings(random, "a", 3_000));
    double before = rolled();
    get(rolledPort, "s/%23?every=1m&fields=n");
    double counted = rolled() - before;
    get(rolledPort, "s/1?every=1d&fields=n");
    assertTrue(counted > 1_500, counted + " rows of two nodes");
    assertSame(random, 60);
  }

  @Test
  void aRuleThatComesLaterLeavesWhatWasBeforeToTheRecords() throws Exception {
    Random random = new Random(7);
    send(readings(random, "a", 1_000));
    two.stop();
    cluster.leave("n2");
    two = storing("n2", "two", RULES.replace("n, m.c", "n"));
    two.awaitReady();
    one.awaitReady();
    send(readings(random, "b", 1_000));
    double before = rolled();
    String other = "s/1?every=1h&fields=m.c";
    String lacks = get(rolledPort, other).headers().firstValue("X-Galop-Incomplete").orElse("");
    assertEquals("two/rollups", lacks, "what is gone from the records is not there");
    assertEquals(before, rolled());
    mayLack = Set.of("", "two/rollups");
    assertSame(random, 30);
    assertTrue(rolled() > before, "n is rolled up by both");
  }
}
