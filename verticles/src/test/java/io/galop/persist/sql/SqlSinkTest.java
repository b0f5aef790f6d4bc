package io.galop.persist.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.persist.sink.RunningSink;
import io.galop.persist.sink.ServerSinkTest;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sink.StoresDocument;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every store with tables of SQL has to do besides. */
public abstract class SqlSinkTest extends ServerSinkTest {
  /** A connection of the caller's own to the database; to be closed. */
  protected abstract Connection client() throws SQLException;

  @Override
  protected final Map<String, String> stored() throws SQLException {
    Map<String, String> found = new TreeMap<>();
    try (Connection client = client();
        Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery("SELECT id, data FROM galop_records")) {
      while (row.next()) {
        String before = found.put(row.getString(1), row.getString(2));
        assertEquals(null, before, "an id is there once");
      }
    }
    return found;
  }

  private void execute(String sql) throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of the first row. */
  protected final String text(String sql) throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertTrue(row.next(), sql);
      return row.getString(1);
    }
  }

  /** How many rows a table has; -1 if it is missing. */
  protected final long rows(String table) {
    try {
      return Long.parseLong(text("SELECT count(*) FROM " + table));
    } catch (SQLException missing) {
      return -1;
    }
  }

  private long rows() {
    return rows("galop_records");
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void deletesWhatIsOlderThanIsKept(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 400);
      running.awaitStored();
      running.append("t", 401, 100); // the last one stored stays: else the table counts as emptied
      running.awaitStored();
      execute(
          "UPDATE galop_records SET stored_us = stored_us - 86401000000"
              + " WHERE length(id) < 5 OR id <= 't-400'");
      SinkFixture.until(() -> rows() == 100);
      running.append("t", 501, 1);
      SinkFixture.until(() -> rows() == 101);
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aNodeWhoseClockIsAheadDeletesNothingYoung(Driver driver) throws Exception {
    long yearMs = TimeUnit.DAYS.toMillis(365);
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 500);
      running.awaitStored();
      try (Store other = store(config(driver))) {
        answer(other.open(2));
        while (answer(other.trim(kept -> System.currentTimeMillis() + yearMs))) {
          assertEquals(500, rows(), "the database's clock is asked too");
        }
        assertEquals(Optional.empty(), other.warning());
      }
      assertEquals(500, rows());
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void warnsOfAFirstRowOfTheFutureUntilItHasThePresentTime(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 500);
      running.awaitStored();
      execute("UPDATE galop_records SET stored_us = stored_us + 86400000000");
      SinkFixture.until(() -> warnings(running).contains("keeps old records"));
      execute(StoresDocument.block("sql " + brick() + " ahead"));
      SinkFixture.until(() -> warnings(running).equals("{}"));
      assertEquals(500, rows());
    }
  }

  private static String warnings(RunningSink running) {
    return running.fixture().readiness.warnings().toString();
  }

  /** The word of the store in the configuration. */
  protected abstract String brick();

  private static <T> T answer(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aTableThatWasEmptiedBesideItsCursorIsFilledAgain(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 500);
      running.awaitStored();
      execute("DELETE FROM galop_records WHERE id = 't-500'");
      running.append("t", 501, 1);
      SinkFixture.until(() -> rows() == 500);
      Thread.sleep(2_500);
      assertEquals(500, rows(), "one that somebody has deleted does not come again");
      execute("TRUNCATE TABLE galop_records");
      running.append("t", 502, 1);
      SinkFixture.until(() -> rows() == 502);
      assertEquals(502, stored().size());
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void tablesThatWereDroppedAreMadeAgainAndFilled(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 500);
      running.awaitStored();
      execute("DROP TABLE galop_records CASCADE");
      SinkFixture.until(() -> rows() == 500);
      running.append("t", 501, 1);
      SinkFixture.until(() -> rows() == 501);
      execute("DROP TABLE galop_cursor");
      running.append("t", 502, 1);
      SinkFixture.until(() -> rows() == 502);
      SinkFixture.until(() -> rows("galop_cursor") == 1);
      assertEquals(502, stored().size());
    }
  }

  /** Ends the sessions of Galop, as a server does with idle ones. */
  protected abstract void endSessions() throws Exception;

  /** The password of Galop's user. */
  protected abstract String password();

  /** Changes the password of Galop's user. */
  protected abstract void changePassword(String password) throws Exception;

  /** A store whose password is in a file. */
  protected abstract Store store(SinkConfig config, StoreLoginConfig login);

  private static List<Record> asked(Store store) throws Exception {
    ColdQuery all =
        new ColdQuery(TopicFilter.parse("#", 100), 0, 9, 10, 9_999, false, Optional.empty());
    return store
        .query(all)
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS)
        .records()
        .stream()
        .map(Placed::record)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void theFirstQuestionAfterASessionWasEndedIsAnswered(Driver driver) throws Exception {
    try (Store store = store(config(driver))) {
      store.open(1).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
      assertEquals(List.of(), asked(store));
      endSessions();
      Thread.sleep(1_500);
      assertEquals(List.of(), asked(store));
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void questionsAreAnsweredAfterThePasswordWasChanged(Driver driver) throws Exception {
    Path file = directory.resolve("password");
    Files.writeString(file, password());
    StoreLoginConfig login = new StoreLoginConfig("galop", "", file.toString(), "");
    try (Store store = store(config(driver), login)) {
      store.open(1).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
      assertEquals(List.of(), asked(store));
      changePassword("another one");
      Files.writeString(file, "another one");
      endSessions();
      Thread.sleep(1_500);
      assertEquals(List.of(), asked(store));
    } finally {
      changePassword(password());
    }
  }
}
