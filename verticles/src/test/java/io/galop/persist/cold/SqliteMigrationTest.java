package io.galop.persist.cold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.ColdConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file that a Galop wrote which knew an id on one topic only. */
@Timeout(600)
class SqliteMigrationTest {
  private static final int ROWS = Integer.getInteger("galop.migration.rows", 50_000);
  private static final long LOG = 42;

  private static final List<String> VERSION_1 =
      List.of(
          "PRAGMA auto_vacuum = INCREMENTAL",
          "PRAGMA journal_mode = WAL",
          """
          CREATE TABLE records (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            topic TEXT NOT NULL,
            time_us INTEGER NOT NULL,
            time_utc TEXT GENERATED ALWAYS AS
              (strftime('%Y-%m-%dT%H:%M:%fZ', time_us / 1000000.0, 'unixepoch')) VIRTUAL,
            data TEXT NOT NULL,
            shard INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            "offset" INTEGER NOT NULL,
            stored_us INTEGER NOT NULL)\
          """,
          "CREATE INDEX records_by_topic ON records (topic, time_us, id)",
          "CREATE INDEX records_by_time ON records (time_us, id)",
          """
          CREATE TABLE log_cursor (one INTEGER PRIMARY KEY CHECK (one = 1), log INTEGER NOT NULL,
            segment INTEGER NOT NULL, "offset" INTEGER NOT NULL)\
          """,
          "INSERT INTO log_cursor VALUES (1, 42, 3, 700)",
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
            INSERT INTO records (seq, id, topic, time_us, data, shard, epoch, "offset", stored_us)
            SELECT i, hex(randomblob(8)) || i, 'plant/area/' || i %% 100, i,
              '{"n":' || i || ',"text":"' || hex(randomblob(100)) || '"}', 1, 2, i, i FROM n\
          """
              .formatted(ROWS),
          "PRAGMA user_version = 1");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void make() throws Exception {
    file = directory.resolve("cold.sqlite");
    execute(VERSION_1);
  }

  private Connection connect() throws Exception {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  private void execute(List<String> statements) throws Exception {
    try (Connection db = connect();
        Statement statement = db.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private long number(String sql) throws Exception {
    try (Connection db = connect();
        Statement statement = db.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private SqliteStore open() throws ColdException {
    ColdConfig config = new ColdConfig(true, 1, 0, 0, 1 << 20, 0, 2, 16, List.of());
    return SqliteStore.open(file, config);
  }

  private void assertMigrated() throws Exception {
    try (SqliteStore store = open()) {
      assertEquals(Optional.of(new LogPosition(3, 700)), store.open(LOG), "the cursor");
      assertEquals(ROWS, number("SELECT count(*) FROM records"));
      assertEquals(ROWS, number("SELECT sum(seq = time_us) FROM records"), "in their order");
      assertEquals(0, number("SELECT count(*) FROM sqlite_schema WHERE name = 'records_1'"));
      Record same = new Record("7", "u", 1, new byte[] {'{', '}'});
      Record other = new Record("7", "v", 1, new byte[] {'{', '}'});
      Position position = new Position(1, 2, 3);
      List<Placed> both = List.of(new Placed(position, same), new Placed(position, other));
      assertEquals(2, store.store(both, LOG, Optional.empty()));
      assertEquals(0, store.store(both, LOG, Optional.empty()));
    }
  }

  @Test
  void rowsAreMovedWithoutTakingMuchMoreRoom() throws Exception {
    long before = Files.size(file);
    long startedNs = System.nanoTime();
    assertMigrated();
    System.out.printf(
        "migration: %,d rows, %,d bytes before, %,d after, %d ms%n",
        ROWS, before, Files.size(file), (System.nanoTime() - startedNs) / 1_000_000);
    assertTrue(Files.size(file) < 2 * before, "%d of %d".formatted(Files.size(file), before));
  }

  @Test
  void aKillInBetweenCostsNoRow() throws Exception {
    open().close();
    execute(
        List.of(
            "CREATE TABLE records_1 AS SELECT seq, id, topic, time_us, data, shard, epoch,"
                + " \"offset\", stored_us FROM records WHERE seq > 20000",
            "DELETE FROM records WHERE seq > 20500"));
    assertMigrated();
  }

  @Test
  void whatANewerGalopWroteIsRefused() throws Exception {
    execute(List.of("PRAGMA user_version = 3"));
    ColdException refused = assertThrows(ColdException.class, this::open);
    assertTrue(refused.getMessage().contains("start the newer"), refused.getMessage());
  }
}
