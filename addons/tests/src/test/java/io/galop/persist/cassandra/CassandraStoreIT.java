package io.galop.persist.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.cql.Row;
import io.galop.config.persist.CassandraConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.RunningSink;
import io.galop.persist.sink.ServerSinkTest;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sink.StoresDocument;
import io.galop.persist.store.BadRecordException;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.galop.servers.CassandraServer;
import io.galop.servers.PackedNode;
import io.galop.servers.StoreServer;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What every store has to do, and what is Cassandra's own, on a real server. */
@Timeout(600)
class CassandraStoreIT extends ServerSinkTest {
  private static final StoreLoginConfig LOGIN =
      new StoreLoginConfig(CassandraServer.USER, CassandraServer.PASSWORD, "", "");
  private static final StoreTlsConfig NO_TLS = new StoreTlsConfig(false, "", true);
  private static final int DAY_SECONDS = 86_400;

  @RegisterExtension static final CassandraServer CASSANDRA = new CassandraServer();

  /** They differ in nothing but their threads, and a start of the server takes long. */
  protected static Stream<Driver> drivers() {
    return Stream.of(Driver.ASYNC);
  }

  @Override
  protected StoreServer server() {
    return CASSANDRA;
  }

  @Override
  protected long timeoutMs() {
    return 15_000;
  }

  @Override
  protected boolean knowsRepeats() {
    return false;
  }

  @Override
  protected Store store(SinkConfig config) {
    return store(config, LOGIN, NO_TLS, CassandraServer.KEYSPACE, "datacenter1", 24);
  }

  private Store store(StoreLoginConfig login, StoreTlsConfig tls) {
    return store(config(Driver.ASYNC), login, tls, CassandraServer.KEYSPACE, "datacenter1", 24);
  }

  private static Store store(
      SinkConfig config,
      StoreLoginConfig login,
      StoreTlsConfig tls,
      String keyspace,
      String datacenter,
      int bucketHours) {
    return new CassandraStoreBrick()
        .open(
            new CassandraConfig(
                "cassandra",
                List.of("127.0.0.1:" + CASSANDRA.port()),
                datacenter,
                keyspace,
                1,
                bucketHours,
                login,
                tls,
                config,
                SamplingConfig.every(1),
                24,
                2,
                16));
  }

  @Override
  protected Map<String, String> stored() {
    Map<String, String> found = new TreeMap<>();
    for (Row row : CASSANDRA.ask("SELECT id, data FROM galop.galop_records")) {
      String before = found.put(row.getString(0), row.getString(1));
      assertEquals(null, before, "an id is there once");
    }
    return found;
  }

  private static long rows() {
    return Objects.requireNonNull(CASSANDRA.ask("SELECT count(*) FROM galop.galop_records").one())
        .getLong(0);
  }

  @Override
  protected void beVersion1(int records) {
    CASSANDRA.administer(
        "INSERT INTO galop.galop_buckets (one, bucket) VALUES (1, 0)",
        "INSERT INTO galop.galop_topics (bucket, topic) VALUES (0, 't')");
    StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH ");
    for (int n = 0; n < records; n++) {
      batch.append(
          ("INSERT INTO galop.galop_records (topic, bucket, time_us, id, data, shard, epoch,"
                  + " \"offset\", stored_us) VALUES ('t', 0, %1$d, 'id%1$d', '{}', 0, 7, %2$d, 5);")
              .formatted(n, n + 1));
    }
    CASSANDRA.administer(batch + " APPLY BATCH");
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(120, TimeUnit.SECONDS);
  }

  private static StoreBatch batch(Record... records) {
    List<Placed> placed = new ArrayList<>();
    for (Record record : records) {
      placed.add(new Placed(new Position(3, 7, placed.size() + 1), record));
    }
    return new StoreBatch(1, placed, 1_000, Optional.empty());
  }

  private static ColdQuery query(String filter, int limit) {
    return new ColdQuery(
        TopicFilter.parse(filter, 100), 0, Long.MAX_VALUE, limit, 99_999, false, Optional.empty());
  }

  @Test
  void theDocumentedQueryFindsTheRecordWhichHasALifetime() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      running.append(StoresDocument.TOPIC, 1_395_000_000L, 1);
      running.awaitStored();
      Row found =
          Objects.requireNonNull(CASSANDRA.ask(StoresDocument.block("sql cassandra")).one());
      assertEquals("2014-03-16T20:00:00Z", String.valueOf(found.getInstant("time")));
      Row left =
          Objects.requireNonNull(CASSANDRA.ask("SELECT TTL(data) FROM galop.galop_records").one());
      assertTrue(left.getInt(0) > DAY_SECONDS - 600 && left.getInt(0) <= DAY_SECONDS);
    }
  }

  @Test
  void everyByteComesBackAndWhatIsTooLargeIsCalledBad() throws Exception {
    String data = "{\"a\": \"\\u0000 \\\\ \\\"q\\\" 🐎 é \\ud800\", \"b\":1.50e+3,  \"a\":null}";
    Record odd = new Record("id {\"',\\%_?$1 🐎\0", "t/🐎 \\%_", 5, data.getBytes(UTF_8));
    try (Store store = store(config(Driver.ASYNC))) {
      await(store.open(1));
      assertEquals(1, await(store.write(batch(odd, odd))), "the second is the same");
      List<Placed> found = await(store.query(query("t/#", 10))).records();
      assertEquals(1, found.size());
      assertEquals(new Position(3, 7, 1), found.get(0).position());
      assertEquals(odd.id(), found.get(0).record().id());
      assertEquals(odd.topic(), found.get(0).record().topic());
      assertEquals(data, new String(found.get(0).record().data(), UTF_8));
      String text = "{\"x\":\"" + "x".repeat(CassandraServer.MOST_BYTES) + "\"}";
      Record large = new Record("large", "t", 5, text.getBytes(UTF_8));
      ExecutionException bad =
          assertThrows(ExecutionException.class, () -> await(store.write(batch(odd, large))));
      assertInstanceOf(BadRecordException.class, bad.getCause(), bad.getMessage());
    }
  }

  @Test
  void aTableThatWasEmptiedBesideItsCursorIsFilledAgain() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      running.append("t", 1, 100);
      running.awaitStored();
      beVersion1(1);
      CASSANDRA.administer(
          "DELETE FROM galop.galop_records WHERE topic = 't' AND bucket = 0 AND time_us = 100000000"
              + " AND id = 't-100'");
      running.append("t", 101, 1);
      SinkFixture.until(() -> rows() == 101);
      Thread.sleep(2_500);
      assertEquals(101, rows(), "one that somebody has deleted does not come again");
      CASSANDRA.administer(
          "TRUNCATE galop.galop_records",
          "INSERT INTO galop.galop_records (topic, bucket, time_us, id, stored_us)"
              + " VALUES ('t', 0, 1, 'was under way', %d)"
                  .formatted((System.currentTimeMillis() - 30_000) * 1_000));
      running.append("t", 102, 1);
      SinkFixture.until(() -> rows() == 103);
      running.awaitStored();
      CASSANDRA.administer("TRUNCATE galop.galop_topics");
      SinkFixture.until(() -> running.count("rewinds") >= 2);
      running.awaitStored();
      CASSANDRA.administer("TRUNCATE galop.galop_buckets");
      SinkFixture.until(() -> CASSANDRA.ask("SELECT * FROM galop.galop_buckets").one() != null);
      running.awaitStored();
      assertEquals(103, stored().size());
    }
  }

  /** As a server does that lost its last writes, or a copy of the tables that was put in place. */
  @Test
  void whatIsGoneWithAYoungerCursorIsStoredAgain() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      running.append("t", 1, 100);
      running.awaitStored();
      SinkFixture.until(() -> segment() > 0);
      CASSANDRA.administer(
          "DELETE FROM galop.galop_records WHERE topic = 't' AND bucket = 0 AND time_us >"
              + " 50000000");
      CASSANDRA
          .ask("SELECT log FROM galop.galop_cursor")
          .forEach(
              row ->
                  CASSANDRA.administer(
                      "UPDATE galop.galop_cursor USING TIMESTAMP %d SET segment = 0, \"offset\" = 0"
                              .formatted(System.currentTimeMillis() * 1_000 + 5_000_000)
                          + " WHERE log = '%s'".formatted(row.getString(0))));
      SinkFixture.until(() -> rows() == 100);
      running.append("t", 101, 1);
      SinkFixture.until(() -> segment() > 0);
    }
  }

  private static long segment() {
    Row cursor = CASSANDRA.ask("SELECT segment FROM galop.galop_cursor").one();
    return cursor == null ? 0 : cursor.getLong(0);
  }

  @Test
  void whatCannotBeOpenedIsToldInWords() throws Exception {
    SinkConfig sink = config(Driver.ASYNC);
    StoreLoginConfig wrong = new StoreLoginConfig(CassandraServer.USER, "a secret", "", "");
    refused(store(wrong, NO_TLS), "refuses the user or the password");
    refused(
        store(sink, LOGIN, NO_TLS, "galop", "elsewhere", 24),
        "localDatacenter must be",
        "elsewhere");
    try (Store store = store(sink)) {
      await(store.open(1));
    }
    refused(store(sink, LOGIN, NO_TLS, "galop", "datacenter1", 12), "bucketHours must stay");
    CASSANDRA.administer(
        "CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'r' AND LOGIN = true",
        "GRANT SELECT ON ALL KEYSPACES TO reader");
    StoreLoginConfig reader = new StoreLoginConfig("reader", "r", "", "");
    refused(
        store(sink, reader, NO_TLS, "other", "datacenter1", 24),
        "the keyspace other does not exist");
    CASSANDRA.administer("UPDATE galop.galop_schema SET version = 9 WHERE one = 1");
    refused(store(sink), "start the newer one");
    CASSANDRA.administer("TRUNCATE galop.galop_schema");
  }

  private static void refused(Store store, String... words) {
    try (store) {
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> await(store.open(1)));
      for (String word : words) {
        assertTrue(refused.getMessage().contains(word), refused.getMessage());
      }
      assertTrue(!refused.getMessage().contains("a secret"), refused.getMessage());
    }
  }

  @Test
  void aCertificateThatIsNotTrustedIsRefusedAndOneThatIsIsTaken() throws Exception {
    String trusted = CASSANDRA.certificate().toString();
    try (Store store = store(LOGIN, new StoreTlsConfig(true, trusted, true))) {
      await(store.open(1));
      assertEquals(1, await(store.write(batch(SinkFixture.record("t", 1)))));
    }
    refused(store(LOGIN, new StoreTlsConfig(true, "", true)), "");
  }

  @Test
  void aTableThatIsGoneIsNoBadRecordAndIsMadeAgain() throws Exception {
    StoreBatch one = batch(SinkFixture.record("t", 1));
    try (Store store = store(config(Driver.ASYNC))) {
      await(store.open(1));
      CASSANDRA.administer("DROP TABLE galop.galop_records");
      Exception gone = assertThrows(ExecutionException.class, () -> await(store.write(one)));
      assertTrue(!(gone.getCause() instanceof BadRecordException), gone.getMessage());
      await(store.open(1));
      assertEquals(1, await(store.write(one)));
    }
  }

  @Test
  void severalNodesMayMakeTheTablesAtOnce() throws Exception {
    CASSANDRA.administer("DROP KEYSPACE IF EXISTS galop");
    List<Store> stores = new ArrayList<>();
    List<Future<?>> opened = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      stores.add(store(config(Driver.ASYNC)));
      opened.add(stores.get(i).open(i + 1));
    }
    for (Future<?> each : opened) {
      assertEquals(Optional.empty(), await(each));
    }
    stores.forEach(Store::close);
  }

  /**
   * The packed jars; the memory forgets within a second, so that the store alone has the history.
   */
  @Test
  void whatWasAcknowledgedIsThereOnceThoughNodeAndServerAreKilled() throws Exception {
    PackedNode.install(directory, "cassandra");
    Path config = Files.writeString(directory.resolve("galop.yaml"), nodeConfig());
    int published = 0;
    try (PackedNode node = PackedNode.run(directory, "node", config)) {
      TcpFeed.publish(node, published, published += 500);
      SinkFixture.until(() -> metric(node, "stored_total") > 0);
      TcpFeed.publish(node, published, published += 500);
      node.kill();
    }
    try (PackedNode node = PackedNode.run(directory, "node", config)) {
      TcpFeed.publish(node, published, published += 500);
      CASSANDRA.kill();
      TcpFeed.publish(node, published, published += 500);
      SinkFixture.until(() -> metric(node, "retries_total") > 0);
      CASSANDRA.startAgain();
      TcpFeed.publish(node, published, published += 500);
      String large = TcpFeed.line("large", 1, "x".repeat(CassandraServer.MOST_BYTES));
      TcpFeed.send(node, List.of(large));
      SinkFixture.until(() -> metric(node, "dead_letters_total") == 1);
      SinkFixture.until(() -> metric(node, "lag_bytes") == 0);
      List<String> expected = TcpFeed.ids(published);
      var found = stored().keySet().stream().filter(id -> id.startsWith("id-")).toList();
      assertEquals(expected, found);
      SinkFixture.until(() -> TcpFeed.history(node).equals(expected));
      assertEquals(0, node.terminate(), node.text());
    }
  }

  private static double metric(PackedNode node, String name) {
    try {
      return node.metric("galop_persist_sink_" + name, "sink=\"cassandra\"");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static String nodeConfig() {
    return """
    ingest: {limits: {maxDataBytes: 400000}}
    persist:
      ram: {maxAgeMs: 1000}
      cold:
        enabled: false
        stores:
          - cassandra:
              hosts: ["127.0.0.1:%d"]
              login: {user: %s, password: %s}
              sampling: {every: 1}
              sink: {maxPauseMs: 500}
    """
        .formatted(CASSANDRA.port(), CassandraServer.USER, CassandraServer.PASSWORD);
  }

  @Test
  void aQuestionForTooManyTopicsIsRefusedAndOneForFewerAnswered() throws Exception {
    Record[] records = new Record[2_001];
    for (int i = 0; i < records.length; i++) {
      records[i] = SinkFixture.record("many/" + i, 1);
    }
    try (Store store = store(config(Driver.ASYNC))) {
      await(store.open(1));
      assertEquals(records.length, await(store.write(batch(records))));
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> await(store.query(query("#", 10))));
      assertTrue(refused.getMessage().contains("fewer topics"), refused.getMessage());
      assertEquals(7, await(store.query(query("many/7", 7))).records().size() + 6);
    }
  }
}
