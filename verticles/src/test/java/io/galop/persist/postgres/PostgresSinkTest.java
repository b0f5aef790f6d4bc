package io.galop.persist.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.PostgresConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sink.RunningSink;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sink.StoresDocument;
import io.galop.persist.sql.SqlSinkTest;
import io.galop.persist.store.BadRecordException;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.galop.servers.PostgresServer;
import io.galop.servers.StoreServer;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class PostgresSinkTest extends SqlSinkTest {
  @RegisterExtension static final PostgresServer POSTGRES = new PostgresServer();

  @Override
  protected String brick() {
    return "postgres";
  }

  @Override
  protected StoreServer server() {
    return POSTGRES;
  }

  @Override
  protected Connection client() throws SQLException {
    return POSTGRES.client();
  }

  @Override
  protected Store store(SinkConfig config) {
    return store(
        config, new StoreLoginConfig(PostgresServer.USER, PostgresServer.PASSWORD, "", ""));
  }

  @Override
  protected Store store(SinkConfig config, StoreLoginConfig login) {
    return PostgresStores.of(
        vertx,
        new PostgresConfig(
            "postgres",
            "127.0.0.1",
            POSTGRES.port(),
            PostgresServer.DATABASE,
            login,
            new StoreTlsConfig(false, "", true),
            config,
            SamplingConfig.every(1),
            24,
            2,
            16));
  }

  @Override
  protected String password() {
    return PostgresServer.PASSWORD;
  }

  @Override
  protected void changePassword(String password) {
    POSTGRES.administer("ALTER ROLE galop PASSWORD '" + password + "'");
  }

  @Override
  protected void endSessions() {
    POSTGRES.administer(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'galop'");
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void noSessionWaitsForALockWhenItsSinkDoesNotAnyMore(Driver driver) throws Exception {
    try (RunningSink running = start(driver);
        Connection other = client();
        Statement statement = other.createStatement()) {
      running.append("t", 1, 10);
      running.awaitStored();
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE galop_records IN ACCESS EXCLUSIVE MODE");
      running.append("t", 11, 10);
      Thread.sleep(6_000);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*) FROM pg_stat_activity WHERE usename = 'galop' AND state = 'active'"
                  + " AND clock_timestamp() - query_start > interval '4 seconds'")) {
        assertTrue(row.next());
        assertEquals(0, row.getInt(1));
      }
      other.rollback();
      running.awaitStored();
      assertEquals(20, stored().size());
    }
  }

  @Override
  protected void beVersion1(int records) throws Exception {
    POSTGRES.execute(
        "INSERT INTO galop_records (id, topic, time_us, data, shard, epoch, \"offset\", stored_us)"
            + " SELECT 'id' || n, 't', n, '{}', 0, 7, n + 1, 5000000000000000"
            + " FROM generate_series(0, %d) AS s(n)".formatted(records - 1));
  }

  @Test
  void isEasyToQueryAndKeepsIdsApartThatDifferInSpacesOrCase() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      for (String topic : List.of("t", "T", "t ", "ť")) {
        running.append(topic, 1_395_000_000L, 1);
      }
      running.awaitStored();
      assertEquals(4, stored().size());
      assertEquals(
          "2014-03-16 20:00:00", text("SELECT time_utc FROM galop_view WHERE id = 't-1395000000'"));
      assertEquals(
          "1395000000", text("SELECT data::json->>'n' FROM galop_records WHERE topic = 'T'"));
      assertEquals("1", text("SELECT version FROM galop_schema"));
    }
  }

  @Test
  void theDocumentedQueryFindsTheRecord() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      running.append(StoresDocument.TOPIC, 1_395_000_000L, 1);
      running.awaitStored();
      assertEquals("2014-03-16 20:00:00", text(StoresDocument.block("sql postgres")));
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aRecordThatTheTableRefusesBecomesADeadLetter(Driver driver) throws Exception {
    try (Store store = store(config(driver))) {
      store.open(1).toCompletionStage().toCompletableFuture().get();
    }
    POSTGRES.execute(
        "ALTER TABLE galop_records ADD CONSTRAINT no_77 CHECK (data NOT LIKE '%\"n\":77,%')");
    String long300 = "x".repeat(300);
    SinkConfig patient =
        new SinkConfig(driver, 300, 65_536, 5, 4, 1 << 20, 30_000, 500, 3, 1 << 20, 0);
    try (RunningSink running = start(patient)) {
      running.append("t", 1, 500);
      running.append(long300, 1, 1);
      running.append("t", 501, 10);
      running.awaitStored();
      assertEquals(509, stored().size());
      assertEquals(
          Set.of("t-77", long300 + "-1"),
          running.fixture().dead.stream()
              .map(placed -> placed.record().id())
              .collect(Collectors.toSet()));
      assertEquals(0, running.count("retries"), "the database was well all the time");
    }
  }

  @Test
  void aWrongPasswordIsToldWithoutShowingIt() throws Exception {
    Path file = directory.resolve("password");
    Files.writeString(file, PostgresServer.PASSWORD + "\nnot this\n");
    StoreLoginConfig right = new StoreLoginConfig(PostgresServer.USER, "", file.toString(), "");
    try (Store store = store(config(Driver.SYNC), right)) {
      store.open(1).toCompletionStage().toCompletableFuture().get();
    }
    for (Driver driver : List.of(Driver.ASYNC, Driver.SYNC)) {
      StoreLoginConfig wrong = new StoreLoginConfig(PostgresServer.USER, "a secret", "", "");
      try (Store store = store(config(driver), wrong)) {
        var failure =
            org.junit.jupiter.api.Assertions.assertThrows(
                java.util.concurrent.ExecutionException.class,
                () -> store.open(1).toCompletionStage().toCompletableFuture().get());
        assertTrue(
            failure.getMessage().contains("refuses the user or the password"),
            failure.getMessage());
        assertTrue(!failure.getMessage().contains("a secret"), failure.getMessage());
      }
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static StoreBatch batch(Record... records) {
    List<Placed> placed = new ArrayList<>();
    for (Record record : records) {
      placed.add(new Placed(new Position(3, 7, placed.size() + 1), record));
    }
    return new StoreBatch(1, placed, 1_000, Optional.empty());
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void everyByteComesBackAndWhatNoTextCanHoldIsCalledBad(Driver driver) throws Exception {
    String data = "{\"a\": \"\\u0000 \\\\ \\\"q\\\" 🐎 é \\ud800\", \"b\":1.50e+3,  \"a\":null}";
    Record odd = new Record("id {\"',\\%_?$1 🐎", "t/🐎 \\%_", 5, data.getBytes(UTF_8));
    try (Store store = store(config(driver))) {
      await(store.open(1));
      assertEquals(1, await(store.write(batch(odd, odd))), "the second is the same");
      ColdQuery query =
          new ColdQuery(
              TopicFilter.parse("t/#", 100), 0, 9, 10, 9_999, false, Optional.<ColdKey>empty());
      List<Placed> found = await(store.query(query)).records();
      assertEquals(1, found.size());
      assertEquals(new Position(3, 7, 1), found.get(0).position());
      assertEquals(odd.id(), found.get(0).record().id());
      assertEquals(odd.topic(), found.get(0).record().topic());
      assertEquals(data, new String(found.get(0).record().data(), UTF_8));
      Record nul = new Record("a\0b", "t", 5, data.getBytes(UTF_8));
      ExecutionException bad =
          assertThrows(ExecutionException.class, () -> await(store.write(batch(odd, nul))));
      assertInstanceOf(BadRecordException.class, bad.getCause());
      assertTrue(bad.getMessage().contains("U+0000"), bad.getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void sessionsThatAreEndedMissNothing(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      for (int at = 0; at < 20; at++) {
        running.append("t", at * 100 + 1L, 100);
        POSTGRES.administer(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'galop'");
      }
      running.awaitStored();
      assertEquals(2_000, stored().size());
      assertTrue(running.fixture().dead.isEmpty(), "nothing was called bad");
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void whatIsAnsweredIsOnTheDiskWhateverTheRoleIsSetTo(Driver driver) throws Exception {
    POSTGRES.execute(
        "ALTER ROLE galop SET synchronous_commit = off",
        "ALTER ROLE galop SET statement_timeout = 500");
    try (Store store = store(config(driver))) {
      await(store.open(1));
      POSTGRES.execute(
          "CREATE FUNCTION only_durable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
              + " PERFORM pg_sleep(0.7);"
              + " IF current_setting('synchronous_commit') = 'off' THEN"
              + " RAISE EXCEPTION 'not durable'; END IF; RETURN NEW; END $$",
          "CREATE TRIGGER only_durable BEFORE INSERT ON galop_records FOR EACH ROW"
              + " EXECUTE FUNCTION only_durable()");
      assertEquals(1, await(store.write(batch(SinkFixture.record("t", 1)))));
    } finally {
      POSTGRES.execute("ALTER ROLE galop RESET ALL");
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aServerThatTakesNoWritesIsToldAndUsedWhenItDoes(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 100);
      running.awaitStored();
      POSTGRES.administer(
          "ALTER DATABASE galop SET default_transaction_read_only = on",
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'galop'");
      running.append("t", 101, 100);
      try (Store store = store(config(driver))) {
        ExecutionException refused =
            assertThrows(ExecutionException.class, () -> await(store.open(1)));
        assertTrue(refused.getMessage().contains("takes no writes"), refused.getMessage());
      }
      SinkFixture.until(() -> running.count("retries") > 0);
      POSTGRES.administer("ALTER DATABASE galop RESET default_transaction_read_only");
      running.awaitStored();
      assertEquals(200, stored().size());
      assertTrue(running.fixture().dead.isEmpty(), "nothing was called bad");
    }
  }

  @Test
  void aDatabaseThatDoesNotHoldEveryTextIsRefused() throws Exception {
    POSTGRES.administer(
        "DROP DATABASE galop WITH (FORCE)",
        "CREATE DATABASE galop OWNER galop ENCODING 'LATIN1' TEMPLATE template0");
    for (Driver driver : List.of(Driver.ASYNC, Driver.SYNC)) {
      try (Store store = store(config(driver))) {
        ExecutionException refused =
            assertThrows(ExecutionException.class, () -> await(store.open(1)));
        assertTrue(refused.getMessage().contains("ENCODING 'UTF8'"), refused.getMessage());
      }
    }
  }

  @Test
  void tablesOfANewerGalopAreRefused() throws Exception {
    try (Store store = store(config(Driver.ASYNC))) {
      await(store.open(1));
      POSTGRES.execute("UPDATE galop_schema SET version = 9");
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> await(store.open(1)));
      assertTrue(refused.getMessage().contains("start the newer one"), refused.getMessage());
    }
  }

  /** Eight nodes that start with an empty database. */
  @Test
  void severalNodesMayMakeTheTablesAtOnce() throws Exception {
    List<Store> stores = new ArrayList<>();
    SinkConfig patient =
        new SinkConfig(Driver.ASYNC, 40, 4_096, 0, 4, 1 << 20, 60_000, 200, 3, 1 << 20, 0);
    for (int i = 0; i < 8; i++) {
      stores.add(store(patient));
    }
    List<Future<Optional<LogPosition>>> opened =
        stores.stream().map(store -> store.open(1)).toList();
    for (Future<Optional<LogPosition>> each : opened) {
      assertEquals(Optional.empty(), await(each));
    }
    stores.forEach(Store::close);
  }
}
