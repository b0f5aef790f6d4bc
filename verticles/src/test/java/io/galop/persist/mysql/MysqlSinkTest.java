package io.galop.persist.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.MysqlConfig;
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
import io.galop.persist.store.Store;
import io.galop.servers.MariaDbServer;
import io.galop.servers.StoreServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class MysqlSinkTest extends SqlSinkTest {
  @RegisterExtension static final MariaDbServer MARIADB = new MariaDbServer();

  @Override
  protected String brick() {
    return "mysql";
  }

  @Override
  protected StoreServer server() {
    return MARIADB;
  }

  @Override
  protected Connection client() throws SQLException {
    return MARIADB.client();
  }

  @Override
  protected Store store(SinkConfig config) {
    return store(config, new StoreLoginConfig(MariaDbServer.USER, MariaDbServer.PASSWORD, "", ""));
  }

  @Override
  protected Store store(SinkConfig config, StoreLoginConfig login) {
    return MysqlStores.of(
        vertx,
        new MysqlConfig(
            "mysql",
            "127.0.0.1",
            MARIADB.port(),
            MariaDbServer.DATABASE,
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
    return MariaDbServer.PASSWORD;
  }

  @Override
  protected void changePassword(String password) {
    MARIADB.administer("SET PASSWORD FOR galop = PASSWORD('" + password + "')");
  }

  @Override
  protected void endSessions() {
    MARIADB.administer("KILL USER galop");
  }

  @Override
  protected void beVersion1(int records) throws Exception {
    MARIADB.execute(
        "ALTER TABLE galop_records DROP KEY galop_by_topic_and_id, DROP KEY galop_by_time,"
            + " ADD UNIQUE KEY galop_by_id (id), ADD KEY galop_by_time (time_us, id)");
    MARIADB.execute("UPDATE galop_schema SET version = 1");
    MARIADB.execute(
        "INSERT INTO galop_records (id, topic, time_us, data, shard, epoch, `offset`, stored_us)"
            + " SELECT concat('id', seq), 't', seq, '{}', 0, 7, seq + 1, 5000000000000000"
            + " FROM seq_0_to_"
            + (records - 1));
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
          "2014-03-16 20:00:00.000000",
          text("SELECT time_utc FROM galop_records WHERE id = 't-1395000000'"));
      assertEquals(
          "1395000000",
          text("SELECT JSON_VALUE(data, '$.n') FROM galop_records WHERE topic = 'T'"));
      assertEquals("2", text("SELECT version FROM galop_schema"));
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aTableThatTakesDifferentNamesForTheSameIsRefused(Driver driver) throws Exception {
    try (Store store = store(config(driver))) {
      store.open(1).toCompletionStage().toCompletableFuture().get();
      MARIADB.execute(
          "ALTER TABLE galop_records CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci");
      ExecutionException refused =
          assertThrows(
              ExecutionException.class,
              () -> store.open(1).toCompletionStage().toCompletableFuture().get());
      String why = refused.getMessage();
      assertTrue(why.contains("has the collation utf8mb4_general_ci, to which"), why);
      MARIADB.execute(
          "ALTER TABLE galop_records CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
      store.open(1).toCompletionStage().toCompletableFuture().get();
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void storesWhateverTheServerSetsForItsSessions(Driver driver) throws Exception {
    MARIADB.administer(
        "SET GLOBAL autocommit = 0",
        "SET GLOBAL init_connect = 'SET NAMES latin1'",
        "SET GLOBAL innodb_default_row_format = compact");
    try (RunningSink running = start(driver)) {
      running.append("Zürich/🐎", 1, 1);
      running.awaitStored();
      assertEquals(
          "F09F908E", text("SELECT hex(substring_index(topic, '/', -1)) FROM galop_records"));
      SinkFixture.until(() -> rows("galop_cursor") == 1);
    } finally {
      MARIADB.administer(
          "SET GLOBAL autocommit = 1",
          "SET GLOBAL init_connect = ''",
          "SET GLOBAL innodb_default_row_format = dynamic");
    }
  }

  @Test
  void theDocumentedQueryFindsTheRecord() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      running.append(StoresDocument.TOPIC, 1_395_000_000L, 1);
      running.awaitStored();
      assertEquals("2014-03-16 20:00:00.000000", text(StoresDocument.block("sql mysql")));
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aRecordThatTheTableRefusesBecomesADeadLetter(Driver driver) throws Exception {
    try (Store store = store(config(driver))) {
      store.open(1).toCompletionStage().toCompletableFuture().get();
    }
    MARIADB.execute(
        "ALTER TABLE galop_records ADD CONSTRAINT no_77 CHECK (data NOT LIKE '%\"n\":77,%')");
    String long300 = "x".repeat(300);
    try (RunningSink running = start(driver)) {
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

  @ParameterizedTest
  @MethodSource("drivers")
  void aTableThatWasDroppedIsToldInPlainWords(Driver driver) throws Exception {
    try (Store store = store(config(driver))) {
      store.open(1).toCompletionStage().toCompletableFuture().get();
      MARIADB.execute("DROP TABLE galop_cursor");
      ExecutionException dropped =
          assertThrows(
              ExecutionException.class,
              () ->
                  store
                      .saveCursor(1, LogPosition.START)
                      .toCompletionStage()
                      .toCompletableFuture()
                      .get());
      String why = dropped.getMessage();
      assertTrue(why.contains("a table of Galop is missing; it is made again"), why);
      assertTrue(why.contains("Table 'galop.galop_cursor' doesn't exist"), why);
      assertFalse(why.contains("{"), why);
    }
  }

  @Test
  void aWrongPasswordIsToldWithoutShowingIt() throws Exception {
    Path file = directory.resolve("password");
    Files.writeString(file, MariaDbServer.PASSWORD + "\nnot this\n");
    StoreLoginConfig right = new StoreLoginConfig(MariaDbServer.USER, "", file.toString(), "");
    try (Store store = store(config(Driver.SYNC), right)) {
      store.open(1).toCompletionStage().toCompletableFuture().get();
    }
    for (Driver driver : List.of(Driver.ASYNC, Driver.SYNC)) {
      StoreLoginConfig wrong = new StoreLoginConfig(MariaDbServer.USER, "a secret", "", "");
      try (Store store = store(config(driver), wrong)) {
        var failure =
            org.junit.jupiter.api.Assertions.assertThrows(
                java.util.concurrent.ExecutionException.class,
                () -> store.open(1).toCompletionStage().toCompletableFuture().get());
        assertTrue(failure.getMessage().contains("Access denied"), failure.getMessage());
        assertTrue(!failure.getMessage().contains("a secret"), failure.getMessage());
      }
    }
  }
}
