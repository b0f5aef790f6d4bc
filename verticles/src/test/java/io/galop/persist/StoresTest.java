package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.record;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.servers.MariaDbServer;
import io.galop.servers.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node with several stores at once, as its configuration names them. */
@Tag("slow")
@Timeout(180)
class StoresTest {
  private static final int SHARDS = 4;
  @RegisterExtension static final RedisServer REDIS = new RedisServer();
  @RegisterExtension static final MariaDbServer MARIADB = new MariaDbServer();
  @TempDir Path directory;
  private Vertx vertx;
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    REDIS.empty();
    MARIADB.empty();
    vertx = Vertx.vertx();
    String login = "{user: galop, password: '" + MariaDbServer.PASSWORD + "'}";
    String sink = "{timeoutMs: 1000, maxPauseMs: 500, deadLetterFileBytes: 2048}";
    node =
        TestNode.start(
            vertx,
            new TestCluster(SHARDS).join("n1", "one", Role.PERSIST),
            TestNode.config(
                directory,
                "node.shards=" + SHARDS,
                "persist.history.storeTimeoutMs=3000",
                "persist.backup={redis: {port: %d, sink: %s}}".formatted(REDIS.port(), sink),
                ("persist.cold.stores=[{mysql: {port: %d, login: %s, sink: %s,"
                        + " sampling: {every: 1}}}]")
                    .formatted(MARIADB.port(), login, sink)));
    node.awaitReady();
  }

  @AfterEach
  void stop() throws Exception {
    MARIADB.thaw();
    node.stop();
    await(vertx.close());
  }

  private void send(int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      send(record("s/" + i % 7, i));
    }
  }

  private void send(Record record) throws Exception {
    int shard = Topic.shard(record.topic(), SHARDS);
    await(node.bus().persist().send(Batch.unplaced(shard, List.of(record))));
  }

  private double stored(String sink) {
    return node.meters.get("galop.persist.sink.stored").tag("sink", sink).counter().count();
  }

  private static List<String> expected(int from, int to) {
    return IntStream.range(from, to).mapToObj(n -> "s/" + n % 7 + "-" + n).toList();
  }

  private Page page(String filter, String next) throws Exception {
    HistoryQuery query = new HistoryQuery(filter, 0, Long.MAX_VALUE, 20, false, next);
    return await(node.bus().history().query("n1", query));
  }

  private List<String> ids(String filter) throws Exception {
    List<String> ids = new ArrayList<>();
    String next = "";
    do {
      Page page = page(filter, next);
      page.records().stream().map(Placed::record).map(Record::id).forEach(ids::add);
      next = page.next();
    } while (!next.isEmpty());
    return ids;
  }

  private void forgetMemory() {
    for (int shard = 0; shard < SHARDS; shard++) {
      node.storage.memory(shard).close();
    }
  }

  @Test
  void everyStoreHasAllAndAnAnswerHasEachRecordOnce() throws Exception {
    send(0, 100);
    for (String sink : List.of("embedded", "redis", "mysql")) {
      until(() -> stored(sink) == 100);
    }
    assertEquals(expected(0, 100), ids("s/#"));
    forgetMemory();
    assertEquals(expected(0, 100), ids("s/#"));
    assertTrue(page("s/#", "").missing().isEmpty());
  }

  @Test
  void aFrozenStoreNeitherHoldsUpRecordsNorAnswersAndIsNamed() throws Exception {
    send(0, 10);
    until(() -> stored("mysql") == 10);
    MARIADB.freeze();
    send(10, 50);
    until(() -> stored("embedded") == 50 && stored("redis") == 50);
    assertEquals(10, stored("mysql"));
    Page page = page("s/#", "");
    assertEquals(List.of("mysql"), List.copyOf(page.missing()));
    assertTrue(!page.complete());
    assertEquals(expected(0, 50), ids("s/#"), "on all pages");
    MARIADB.thaw();
    until(() -> stored("mysql") == 50);
    until(
        () -> {
          try {
            return page("s/#", "").missing().isEmpty();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void whatAStoreDoesNotTakeIsADeadLetterThatCanBeDrivenAgain() throws Exception {
    send(0, 5);
    until(() -> stored("mysql") == 5);
    MARIADB.execute(
        "ALTER TABLE galop_records ADD CHECK (id NOT IN ('s/0-7', 's/1-8') AND id NOT LIKE"
            + " 's/1-8#mysql%')");
    send(5, 10);
    until(() -> stored("embedded") == 12);
    Page letters = page("$dead-letter/#", "");
    Record letter = letters.records().get(0).record();
    assertEquals("$dead-letter/store/mysql", letter.topic());
    String data = new String(letter.data(), StandardCharsets.UTF_8);
    assertTrue(
        data.startsWith(
            "{\"id\":\"s/0-7\",\"topic\":\"s/0\",\"timeUs\":7000000,\"reason\":\"store_refused\","),
        data);
    assertTrue(data.endsWith(",\"data\":{\"number\":7}}"), data);
    until(() -> stored("mysql") == 9);
    Path file = directory.resolve("dead-letters/mysql.ndjson");
    until(() -> file.toFile().length() > 0);
    assertTrue(
        Files.readString(file)
            .startsWith("{\"id\":\"s/1-8#mysql@tqPD1ryTRb\",\"topic\":\"$dead-letter/"),
        "the letter that is not taken either: " + Files.readString(file));
  }

  @Test
  void whatHasNoPlaceAtAllIsWaitedForUntilItHas() throws Exception {
    send(0, 1);
    until(() -> stored("mysql") == 1);
    MARIADB.execute("ALTER TABLE galop_records ADD CONSTRAINT no_one CHECK (id NOT LIKE 's/1-%')");
    send(1, 100);
    Path file = directory.resolve("dead-letters/mysql.ndjson");
    until(() -> node.readiness().warnings().containsKey("persist.sink.mysql"));
    String why = node.readiness().warnings().get("persist.sink.mysql");
    assertTrue(why.contains("2,048 bytes (sink.deadLetterFileBytes)"), why);
    assertTrue(file.toFile().length() > 1_024 && file.toFile().length() <= 2_048);
    until(() -> node.gauge("galop.persist.sink.held", "mysql") == 1);
    Path elsewhere = directory.resolve("mysql-1.ndjson");
    Files.move(file, elsewhere);
    until(() -> Files.exists(file));
    MARIADB.execute("ALTER TABLE galop_records DROP CONSTRAINT no_one");
    until(() -> node.gauge("galop.persist.sink.lag.bytes", "mysql") == 0);
    until(() -> node.readiness().warnings().isEmpty());
    Set<String> kept = idsOfMysql();
    for (Path letters : List.of(elsewhere, file)) {
      Files.readAllLines(letters).forEach(line -> kept.add(new JsonObject(line).getString("id")));
    }
    List<String> lost = new ArrayList<>(expected(0, 100));
    lost.removeIf(id -> kept.contains(id) || kept.contains(id + "#mysql@tqPD1ryTRb"));
    assertEquals(List.of(), lost, "stored, or its letter is, or that one's in a file");
  }

  private static Set<String> idsOfMysql() throws Exception {
    Set<String> ids = new HashSet<>();
    try (Connection client = MARIADB.client();
        Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM galop_records")) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }
}
