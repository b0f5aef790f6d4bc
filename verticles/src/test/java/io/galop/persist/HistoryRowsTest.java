package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.until;
import static java.nio.charset.StandardCharsets.UTF_8;
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
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows, points, pages, CSV and gzip of what two nodes keep, in memory and in stores. */
@Tag("slow")
@Timeout(300)
class HistoryRowsTest {
  private static final int SHARDS = 4;
  private static final long SECOND_US = 1_000_000;
  private static final long MINUTE_US = 60 * SECOND_US;
  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster(SHARDS);
  private Vertx vertx;
  private TestNode one;
  private TestNode two;
  private boolean isTwoThere = true;
  private int port;

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
    var config =
        TestNode.config(directory.resolve("3"), "node.shards=4", "persist.history.maxFolded=2000");
    Node asker = new Node(config, bus, new SimpleMeterRegistry(), new Readiness(), new Listeners());
    Router router = Router.router(vertx);
    new HistoryEndpoint(asker, Optional.empty(), TestNode.answerBudget(asker)).mount(router);
    port =
        await(vertx.createHttpServer(Http1.options()).requestHandler(router).listen(0, "127.0.0.1"))
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

  private static Record record(String topic, String id, long timeUs, String data) {
    return new Record(id, topic, timeUs, data.getBytes(UTF_8));
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

  /** A reading each second of two topics, but none from second 130 to second 250. */
  private void sendReadings() throws Exception {
    List<Record> records = new ArrayList<>();
    for (int s = 0; s < 300; s++) {
      for (String topic : List.of("s/a", "s/b")) {
        if (s < 130 || s >= 250) {
          String data = "{\"m\":{\"c\":" + s + "},\"text\":\"x, \\\"y\\\"\"}";
          records.add(record(topic, topic + s, s * SECOND_US, data));
        }
      }
    }
    send(records);
  }

  private HttpResponse<String> get(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/history/" + path))
            .header("Accept", "application/x-ndjson")
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private List<String> lines(String path) throws Exception {
    HttpResponse<String> response = get(path);
    assertEquals(200, response.statusCode(), response.body());
    return response.body().lines().toList();
  }

  private static String next(HttpResponse<String> response) {
    return response.headers().firstValue("X-Galop-Next").orElse("");
  }

  private static String row(int minute, String numbers, boolean isPart) {
    return "{\"topic\":\"s/a\",\"time\":%d,\"data\":{\"m.c\":{%s}}%s}"
        .formatted(minute * MINUTE_US, numbers, isPart ? ",\"part\":true" : "");
  }

  private static String row(int minute, int min, int max) {
    String mean = (min + max) % 2 == 0 ? "" + (min + max) / 2 : (min + max) / 2 + ".5";
    String numbers = "\"min\":%d,\"max\":%d,\"avg\":%s,\"last\":%d,\"count\":%d";
    return row(minute, numbers.formatted(min, max, mean, max, max - min + 1), false);
  }

  @Test
  void bucketsHaveEachRecordOnceAndGapsStayGaps() throws Exception {
    sendReadings();
    List<String> rows =
        new ArrayList<>(
            List.of(row(0, 0, 59), row(1, 60, 119), row(2, 120, 129), row(4, 250, 299)));
    assertEquals(rows, lines("s/a?every=1m&fields=m.c"));
    until(() -> stored(one) + stored(two) == 360);
    assertEquals(rows, lines("s/a?every=60s&fields=m.c"), "also when stores have them as well");
    Collections.reverse(rows);
    assertEquals(rows, lines("s/a?every=1m&fields=m.c&order=desc"));
    assertEquals(
        List.of(row(0, "\"max\":59", true), row(1, "\"max\":90", true)),
        lines("s/a?every=1m&fields=m.c&agg=max&from=10000000&to=90000000"));
    assertEquals(
        List.of(row(1, "\"count\":60", false)),
        lines("s/a?every=1m&fields=m.c&agg=count&from=60000000&to=119999999"));
    assertEquals(List.of(), lines("s/a?every=1m&fields=no.such"));
    assertEquals("[]", get("s/a?every=1m&fields=no.such&format=json").body());
    assertEquals(5 * 2 - 2, lines("s/%2B?every=1m&fields=m.c").size());
  }

  private static long stored(TestNode node) {
    return (long) node.meters.get("galop.persist.sink.stored").counter().count();
  }

  @Test
  void rowsGoOnBehindTheLastInBothOrders() throws Exception {
    sendReadings();
    for (String order : List.of("asc", "desc")) {
      String path = "s/%23?every=10s&fields=m.c&order=" + order;
      List<String> whole = lines(path);
      assertEquals(2 * (13 + 5), whole.size());
      List<String> paged = new ArrayList<>();
      String after = "";
      do {
        HttpResponse<String> page = get(path + "&limit=7" + after);
        paged.addAll(page.body().lines().toList());
        after = next(page).isEmpty() ? "" : "&after=" + next(page);
      } while (!after.isEmpty());
      assertEquals(whole, paged, order);
    }
  }

  @Test
  void moreRecordsThanMayBeFoldedAreToldAndGoneOnWith() throws Exception {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      records.add(record("s/a", "i" + i, i * SECOND_US, "{\"n\":1}"));
    }
    send(records);
    long count = 0;
    int pages = 0;
    String after = "";
    do {
      HttpResponse<String> page = get("s/a?every=1m&fields=n&agg=count" + after);
      assertEquals(200, page.statusCode(), page.body());
      for (String line : page.body().lines().toList()) {
        JsonObject data = new JsonObject(line).getJsonObject("data");
        count += data.getJsonObject("n").getLong("count");
      }
      pages++;
      after = next(page).isEmpty() ? "" : "&after=" + next(page);
      String incomplete = page.headers().firstValue("X-Galop-Incomplete").orElse("");
      assertEquals(after.isEmpty() ? "" : "persist.history.maxFolded", incomplete);
    } while (!after.isEmpty());
    assertEquals(5_000, count, "each bucket once, and whole");
    assertTrue(pages > 2, pages + " pages");
    HttpResponse<String> long1 = get("s/a?every=1d&fields=n");
    assertEquals(400, long1.statusCode());
    assertTrue(long1.body().contains("no bucket is complete within 2,000 records"), long1.body());
  }

  /** Two neighbours have more records than may be folded, each of them fewer. */
  @ParameterizedTest
  @ValueSource(strings = {"asc", "desc"})
  void eachPageGoesOnWithTheBucketThatWasNotWhole(String order) throws Exception {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < 6_000; i++) {
      records.add(record("s/a", "i" + i, i * SECOND_US, "{\"n\":1}"));
    }
    send(records);
    List<Long> counts = new ArrayList<>();
    String after = "";
    do {
      var page = get("s/a?every=25m&fields=n&agg=count&format=ndjson&order=" + order + after);
      assertEquals(200, page.statusCode(), page.body());
      page.body()
          .lines()
          .map(line -> new JsonObject(line).getJsonObject("data").getJsonObject("n"))
          .forEach(n -> counts.add(n.getLong("count")));
      after = next(page).isEmpty() ? "" : "&after=" + next(page);
    } while (!after.isEmpty());
    assertEquals(List.of(1_500L, 1_500L, 1_500L, 1_500L), counts);
  }

  @Test
  void pointsHaveTheEndsAndThePeakOfEachTopic() throws Exception {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      records.add(record("s/a", "i" + i, i * SECOND_US, "{\"n\":" + (i == 777 ? 50 : 0) + "}"));
    }
    send(records);
    List<JsonObject> points =
        lines("s/%23?points=20&fields=n").stream().map(JsonObject::new).toList();
    assertEquals(20, points.size());
    assertEquals(0, points.get(0).getLong("time"));
    assertEquals(1_499 * SECOND_US, points.get(19).getLong("time"));
    assertTrue(
        points.stream()
            .anyMatch(
                one ->
                    one.getLong("time") == 777 * SECOND_US
                        && one.getJsonObject("data").getInteger("n") == 50));
    send(List.of(record("s/b", "b", 1, "{\"n\":1}"), record("s/c", "c", 1, "{\"n\":1}")));
    assertEquals(200, get("s/%23?points=3000&fields=n").statusCode());
    HttpResponse<String> many = get("s/%23?points=4000&fields=n");
    assertEquals(400, many.statusCode());
    assertTrue(many.body().contains("'points' times topics may be 10000"), many.body());
    assertTrue(many.body().contains("\"reason\":\"invalid_parameter\""), many.body());
  }

  @Test
  void pointsOfMoreRecordsThanMayBeFoldedSaySoAndHaveNoNext() throws Exception {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < 2_100; i++) {
      records.add(record("s/a", "i" + i, i * SECOND_US, "{\"n\":1}"));
    }
    send(records);
    HttpResponse<String> points = get("s/a?points=20&fields=n");
    assertEquals(200, points.statusCode(), points.body());
    String incomplete = points.headers().firstValue("X-Galop-Incomplete").orElse("");
    assertEquals("persist.history.maxFolded", incomplete);
    assertEquals("", next(points), "since 'after' is refused with points");
  }

  /** Many at the same time, so that a page ends in the middle of them; others come meanwhile. */
  @Test
  void pagesOfRecordsHave25000OnceEach() throws Exception {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < 25_000; i++) {
      String topic = "s/" + i % 5;
      records.add(record(topic, "i" + i / 5, i / 700 * SECOND_US, "{\"n\":" + i + "}"));
    }
    send(records);
    for (String order : List.of("asc", "desc")) {
      Set<Integer> seen = new HashSet<>();
      int read = 0;
      String after = "";
      List<String> page;
      do {
        page = lines("s/%23?limit=10000&order=" + order + after);
        for (String line : page) {
          seen.add(new JsonObject(line).getJsonObject("data").getInteger("n"));
          read++;
        }
        if (!page.isEmpty()) {
          JsonObject last = new JsonObject(page.get(page.size() - 1));
          after = "&after=" + encoded(last);
        }
        long early = order.equals("asc") ? -1 : Long.MAX_VALUE / 2;
        send(List.of(record("s/1", order + read, early, "{\"n\":-1}")));
      } while (page.size() == 10_000);
      assertEquals(25_000, seen.stream().filter(n -> n >= 0).count(), order);
      assertEquals(25_000 + (order.equals("desc") ? 3 : 0), read, "what came early is behind");
    }
  }

  private static String encoded(JsonObject record) {
    String after =
        record.getLong("time") + ":" + record.getString("id") + "\t" + record.getString("topic");
    return URLEncoder.encode(after, UTF_8);
  }

  private static String run(Path directory, String... command) throws Exception {
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertEquals(0, process.waitFor(), () -> "failed: " + List.of(command));
    return Files.readString(out);
  }

  @Test
  void curlUnpacksAndPythonReadsCsv() throws Exception {
    sendReadings();
    String url = "http://127.0.0.1:" + port + "/history/s/%23?limit=1000";
    String plain = run(directory, "curl", "-sS", url);
    assertEquals(plain, run(directory, "curl", "-sS", "--compressed", url));
    assertTrue(
        run(
                directory,
                "curl",
                "-sSi",
                "-H",
                "Accept-Encoding: gzip",
                "-o",
                "-",
                "-w",
                "",
                "-I",
                "-X",
                "GET",
                url)
            .toLowerCase(Locale.ROOT)
            .contains("content-encoding: gzip"));
    String rows = "http://127.0.0.1:" + port + "/history/s/%23?every=1m&fields=m.c";
    assertEquals(
        run(directory, "curl", "-sS", rows), run(directory, "curl", "-sS", "--compressed", rows));
    Path csv = directory.resolve("a.csv");
    run(directory, "curl", "-sS", "-o", csv.toString(), url + "&format=csv&fields=text,m.c,none");
    String read = "import csv,sys\nfor r in csv.reader(open(sys.argv[1],newline='')): print(r)";
    List<String> table = run(directory, "python3", "-c", read, csv.toString()).lines().toList();
    assertEquals("['time', 'id', 'topic', 'text', 'm.c', 'none']", table.get(0));
    assertEquals("['0', 's/a0', 's/a', 'x, \"y\"', '0', '']", table.get(1));
    assertEquals(361, table.size());
    run(directory, "curl", "-sS", "-o", csv.toString(), "-H", "Accept: text/csv", url);
    table = run(directory, "python3", "-c", read, csv.toString()).lines().toList();
    assertEquals("['time', 'id', 'topic', 'data']", table.get(0));
    assertTrue(table.get(1).contains("{\"m\":{\"c\":0}"), table.get(1));
    run(directory, "curl", "-sS", "-o", csv.toString(), rows + "&format=csv&agg=last,count");
    table = run(directory, "python3", "-c", read, csv.toString()).lines().toList();
    assertEquals("['time', 'topic', 'part', 'm.c.last', 'm.c.count']", table.get(0));
    assertEquals("['60000000', 's/b', 'false', '119', '60']", table.get(4));
  }

  @Test
  void aStoppedNodeIsToldAndTheOthersRecordsAreFolded() throws Exception {
    sendReadings();
    List<String> whole = lines("s/%23?every=1m&fields=m.c");
    isTwoThere = false;
    two.stop();
    cluster.leave("n2");
    HttpResponse<String> rest = get("s/%23?every=1m&fields=m.c");
    assertEquals(200, rest.statusCode());
    assertEquals("two", rest.headers().firstValue("X-Galop-Incomplete").orElse(""));
    assertTrue(whole.containsAll(rest.body().lines().toList()), rest.body());
  }
}
