package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.persist.history.HistoryEndpoint;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** Rows of roll-ups are those of records, to the byte. */
@Tag("slow")
@Timeout(300)
class RollupsTest {
  private static final int SHARDS = 4;
  private static final long SECOND_US = 1_000_000;
  private static final long HOUR_US = 3_600 * SECOND_US;

  /** A field that no record has and no roll-up, so that records are folded. */
  private static final String FROM_RECORDS = ",none";

  @TempDir Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private Vertx vertx;
  private TestNode node;
  private int port;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    node =
        TestNode.start(
            vertx,
            new LocalCluster("one", Set.of(Role.values()), SHARDS),
            TestNode.config(
                directory,
                "node.shards=" + SHARDS,
                "persist.rememberedIds=64",
                "persist.history.maxFolded=20000",
                "persist.cold.rollups={topics: ['s/#'], fields: [n, m.c]}"));
    node.awaitReady();
    Router router = Router.router(vertx);
    new HistoryEndpoint(node.node, Optional.empty(), Optional.of(node.storage.history()))
        .mount(router);
    port =
        await(vertx.createHttpServer(Http1.options()).requestHandler(router).listen(0, "127.0.0.1"))
            .actualPort();
  }

  @AfterEach
  void stop() throws Exception {
    node.stop();
    await(vertx.close());
  }

  private void send(List<Record> records) throws Exception {
    var byShard =
        records.stream().collect(Collectors.groupingBy(one -> Topic.shard(one.topic(), SHARDS)));
    for (var shard : byShard.entrySet()) {
      await(node.bus().persist().send(Batch.unplaced(shard.getKey(), shard.getValue())));
    }
  }

  /** In no order, some late by an hour, some sent before. */
  private static List<Record> some(int from, int count) {
    Random random = new Random(from);
    List<Record> records = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      records.add(one(random.nextInt(20) == 0 ? random.nextInt(i + 1) : i));
    }
    return records;
  }

  private static Record one(int i) {
    Random random = new Random(i * 7_919L);
    long timeUs = (i - 60) * SECOND_US + random.nextInt(60_000_000);
    timeUs -= random.nextInt(30) == 0 ? HOUR_US : 0;
    String number = random.nextInt(9) == 0 ? "\"1\"" : "" + random.nextInt(400) / 4.0;
    String data =
        switch (random.nextInt(4)) {
          case 0 -> "{\"n\":" + random.nextInt(90) + "}";
          case 1 -> "{\"x\":1}";
          case 2 -> "{\"m\":{\"c\":" + number + "},\"n\":-75e-2}";
          default -> "{\"n\":" + number + ",\"m\":{\"c\":3}}";
        };
    String topic = (random.nextInt(5) == 0 ? "other/" : "s/") + random.nextInt(3);
    return new Record("i" + i, topic, timeUs, data.getBytes(UTF_8));
  }

  private List<String> lines(String question) throws Exception {
    List<String> lines = new ArrayList<>();
    String after = "";
    do {
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + port + "/history/" + question + after))
              .header("Accept", "application/x-ndjson")
              .build();
      HttpResponse<String> page = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertEquals(200, page.statusCode(), page.body());
      page.body().lines().forEach(lines::add);
      String next = page.headers().firstValue("X-Galop-Next").orElse("");
      after = next.isEmpty() ? "" : "&after=" + next;
    } while (!after.isEmpty());
    return lines;
  }

  private double rolled() {
    return node.meters.get("galop.history.rolled").counter().count();
  }

  private void compare(String why) throws Exception {
    for (String question :
        List.of(
            "s/%23?every=1m&fields=n,m.c",
            "s/%23?every=5m&order=desc&fields=m.c,n",
            "s/1?every=1m&limit=7&fields=n",
            "s/%2B?every=2m&limit=5&order=desc&fields=n",
            "s/2?every=1m&agg=avg,last,count&from=123456789&to=1234567890&fields=n",
            "s/2?every=1m&order=desc&from=-3600000000&to=1199999999&fields=m.c",
            "s/0?every=90s&fields=n",
            "%23?every=1h&fields=n")) {
      assertEquals(lines(question + FROM_RECORDS), lines(question), why + " " + question);
    }
  }

  private double stored() {
    return node.meters.get("galop.persist.sink.stored").counter().count();
  }

  private double lag() {
    return node.gauge("galop.persist.sink.lag.records", "embedded");
  }

  @Test
  void rowsAreThoseOfTheRecords() throws Exception {
    for (int round = 0; round < 6; round++) {
      send(some(round * 500, 500));
      compare("while round " + round + " is stored");
    }
    until(() -> lag() == 0 && stored() > 2_500);
    double all = stored();
    double before = rolled();
    compare("when all is stored");
    assertTrue(rolled() >= before + 6, "made of roll-ups");
    List<Record> late = new ArrayList<>();
    for (int i = 3_000; i < 3_200; i++) {
      Record one = one(i);
      late.add(new Record(one.id(), one.topic(), one.timeUs() - 2_000 * SECOND_US, one.data()));
    }
    send(late);
    compare("when old buckets get more");
    until(() -> lag() == 0 && stored() > all);
    compare("when old buckets have more");
  }

  @Test
  void whatIsReadOfRollupsIsBoundedAndGoneOnWith() throws Exception {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < 24_000; i++) {
      String data = "{\"n\":" + i + "}";
      records.add(new Record("i" + i, "s/0", i * 60 * SECOND_US, data.getBytes(UTF_8)));
    }
    for (int from = 0; from < records.size(); from += 500) {
      send(records.subList(from, from + 500));
    }
    until(() -> lag() == 0 && stored() == 24_000);
    for (String order : List.of("asc", "desc")) {
      List<String> rows = lines("s/0?every=10m&agg=count&fields=n&order=" + order);
      assertEquals(2_400, rows.size());
      assertTrue(rows.stream().allMatch(row -> row.contains("\"count\":10")), rows.get(0));
    }
    assertTrue(rolled() >= 4, "two pages each");
  }
}
