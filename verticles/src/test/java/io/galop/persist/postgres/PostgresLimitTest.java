package io.galop.persist.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.config.persist.PostgresConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.Sink;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.store.Store;
import io.galop.record.Record;
import io.galop.servers.PostgresServer;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The errors of code 54000: some are a record's, some are the server's. */
@Tag("slow")
@Timeout(300)
class PostgresLimitTest {
  private static final int ENOUGH_RETRIES = 8;

  @TempDir Path directory;
  private final PostgresServer server = new PostgresServer();
  private final Vertx vertx = Vertx.vertx();

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  private static SinkConfig config(Driver driver) {
    return new SinkConfig(driver, 300, 65_536, 5, 4, 1 << 20, 5_000, 100, 3, 1 << 20, 0);
  }

  private Store store(Driver driver) {
    return PostgresStores.of(
        vertx,
        new PostgresConfig(
            "postgres",
            "127.0.0.1",
            server.port(),
            PostgresServer.DATABASE,
            new StoreLoginConfig(PostgresServer.USER, PostgresServer.PASSWORD, "", ""),
            new StoreTlsConfig(false, "", true),
            config(driver),
            SamplingConfig.every(1),
            24,
            2,
            16));
  }

  private Sink start(SinkFixture fixture, Store store, Driver driver) {
    return fixture.start("test", store, config(driver), SamplingConfig.every(1));
  }

  private long rows() throws SQLException {
    try (Connection client = server.client();
        Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM galop_records")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Does not compress. */
  private static Record wide(int number, int bytes) {
    byte[] random = new byte[bytes];
    new Random(number).nextBytes(random);
    String data = "{\"x\":\"" + Base64.getEncoder().encodeToString(random) + "\"}";
    return new Record("t-" + number, "t", number, data.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource(names = {"ASYNC", "SYNC"})
  void aRecordThatDoesNotFitIntoAnOperatorsIndexBecomesADeadLetter(Driver driver) throws Exception {
    try (Store first = store(driver)) {
      first.open(1).toCompletionStage().toCompletableFuture().get();
    }
    server.execute("CREATE INDEX of_an_operator ON galop_records (data)");
    try (SinkFixture fixture = new SinkFixture(directory);
        Store store = store(driver);
        Sink sink = start(fixture, store, driver)) {
      fixture.append("t", 1, 500);
      fixture.append("t", 501, List.of(wide(501, 4_000), wide(502, 60), wide(503, 9_000)));
      fixture.append("t", 504, 10);
      SinkFixture.until(() -> sink.lagBytes() == 0);
      assertEquals(511, rows());
      assertEquals(
          List.of("t-501", "t-503"),
          fixture.dead.stream().map(placed -> placed.record().id()).sorted().toList());
    }
  }

  /** The same code and words, about no record but what a trigger collects elsewhere. */
  @ParameterizedTest
  @EnumSource(names = {"ASYNC", "SYNC"})
  void aTableThatATriggerFillsIsWaitedFor(Driver driver) throws Exception {
    try (Store first = store(driver)) {
      first.open(1).toCompletionStage().toCompletableFuture().get();
    }
    server.execute(
        "CREATE TABLE collected (everything TEXT)",
        "CREATE INDEX of_everything ON collected (everything)",
        "INSERT INTO collected VALUES ('')",
        "CREATE FUNCTION collect() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN"
            + " UPDATE collected SET everything = everything || NEW.data; RETURN NULL; END'",
        "CREATE TRIGGER collecting AFTER INSERT ON galop_records"
            + " FOR EACH ROW EXECUTE FUNCTION collect()");
    try (SinkFixture fixture = new SinkFixture(directory);
        Store store = store(driver);
        Sink sink = start(fixture, store, driver)) {
      fixture.append("t", 1, List.of(wide(1, 1_500)));
      SinkFixture.until(() -> sink.lagBytes() == 0);
      fixture.append("t", 2, List.of(wide(2, 1_500)));
      SinkFixture.until(() -> fixture.count("retries") > ENOUGH_RETRIES);
      assertEquals(1, rows());
      assertEquals(List.of(), fixture.dead);
      server.execute("DROP INDEX of_everything");
      SinkFixture.until(() -> sink.lagBytes() == 0);
      assertEquals(2, rows());
    }
  }

  /** The same code, about no record: what was acknowledged waits until the server is well. */
  @Test
  void aServerWithoutTransactionIdsIsWaitedFor() throws Exception {
    try (SinkFixture first = new SinkFixture(directory.resolve("first"));
        SinkFixture second = new SinkFixture(directory.resolve("second"));
        Store async = store(Driver.ASYNC);
        Store sync = store(Driver.SYNC);
        Sink one = start(first, async, Driver.ASYNC);
        Sink other = start(second, sync, Driver.SYNC)) {
      first.append("a", 1, 10);
      second.append("b", 1, 10);
      SinkFixture.until(() -> one.lagBytes() == 0 && other.lagBytes() == 0);
      server.execute("CREATE TABLE of_an_operator (n INT)");
      server.execute(
          "BEGIN", "INSERT INTO of_an_operator VALUES (1)", "PREPARE TRANSACTION 'forgotten'");
      server.useUpTransactionIds();
      for (SinkFixture fixture : List.of(first, second)) {
        double before = fixture.count("retries");
        fixture.append("c", 1, 10);
        SinkFixture.until(() -> fixture.count("retries") > before + ENOUGH_RETRIES);
      }
      SQLException refused = assertThrows(SQLException.class, this::insert);
      assertEquals("54000", refused.getSQLState(), refused.getMessage());
      assertEquals(20, rows());
      assertEquals(List.of(), first.dead);
      assertEquals(List.of(), second.dead);
    }
  }

  private void insert() throws SQLException {
    try (Connection client = server.client();
        Statement statement = client.createStatement()) {
      statement.execute("INSERT INTO of_an_operator VALUES (2)");
    }
  }
}
