package io.galop.persist.cold;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema, version by version. Version 1 had one record for each id; since version 2 each topic
 * has ids of its own.
 *
 * <p>SQLite cannot change what is unique in a table. So version 2 begins a new one beside the old,
 * and moves its rows over, some at a time: each part is a transaction, so a kill costs no more than
 * one, and the pages that a part frees take the next one, so the file grows little.
 */
final class SqliteMigration {
  static final int VERSION = 2;
  private static final Logger LOG = LoggerFactory.getLogger(SqliteMigration.class);
  private static final int MOVED_AT_ONCE = 20_000;
  private static final int TOLD_EVERY = 1_000_000;

  private static final String COLUMNS =
      """
      (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL%s,
        topic TEXT NOT NULL,
        time_us INTEGER NOT NULL,
        time_utc TEXT GENERATED ALWAYS AS
          (strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', time_us / 1000000.0, 'unixepoch')) VIRTUAL,
        data TEXT NOT NULL,
        shard INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        "offset" INTEGER NOT NULL,
        stored_us INTEGER NOT NULL%s)\
      """;

  private static final List<String> INDEXES =
      List.of(
          "CREATE INDEX records_by_topic ON records (topic, time_us, id)",
          "CREATE INDEX records_by_time ON records (time_us, id)");

  /** Statements that bring the schema from the version of their place to the next. */
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              "CREATE TABLE records " + COLUMNS.formatted(" UNIQUE", ""),
              INDEXES.get(0),
              INDEXES.get(1),
              """
              CREATE TABLE log_cursor (
                one INTEGER PRIMARY KEY CHECK (one = 1),
                log INTEGER NOT NULL,
                segment INTEGER NOT NULL,
                "offset" INTEGER NOT NULL)\
              """),
          List.of(
              "ALTER TABLE records RENAME TO records_1",
              "DROP INDEX records_by_topic",
              "DROP INDEX records_by_time",
              "CREATE TABLE records " + COLUMNS.formatted("", ",\n  UNIQUE (topic, id)"),
              INDEXES.get(0),
              INDEXES.get(1)));

  private static final String MOVE =
      "INSERT OR IGNORE INTO records (seq, id, topic, time_us, data, shard, epoch, \"offset\","
          + " stored_us) SELECT seq, id, topic, time_us, data, shard, epoch, \"offset\", stored_us"
          + " FROM records_1 WHERE seq <= ?";

  private final Connection connection;
  private final Statement statement;

  /**
   * @param connection in whose transaction it works
   */
  SqliteMigration(Connection connection, Statement statement) {
    this.connection = connection;
    this.statement = statement;
  }

  /** Brings the schema up to date, and commits. */
  void run() throws SQLException {
    int version = SqliteFile.number(connection, "PRAGMA user_version");
    if (version > VERSION) {
      throw new SQLException(
          "has schema version " + version + ", this Galop knows " + VERSION + "; start the newer");
    }
    for (List<String> step : STEPS.subList(version, VERSION)) {
      for (String sql : step) {
        statement.execute(sql);
      }
    }
    statement.execute("PRAGMA user_version = " + VERSION);
    connection.commit();
    if (isMoving()) {
      move();
    }
  }

  /** Also where a kill has interrupted it. */
  private boolean isMoving() throws SQLException {
    String sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'records_1'";
    return SqliteFile.number(connection, sql) > 0;
  }

  private void move() throws SQLException {
    long moved = 0;
    int some = moveSome();
    if (some > 0) {
      LOG.info("migrating the embedded store to ids per topic, once; this may take long");
    }
    while (some > 0) {
      moved += some;
      if (moved % TOLD_EVERY < some) {
        LOG.info("{} records of the embedded store are migrated", moved);
      }
      some = moveSome();
    }
    statement.execute("DROP TABLE records_1");
    connection.commit();
  }

  private int moveSome() throws SQLException {
    String last =
        "SELECT max(seq) FROM (SELECT seq FROM records_1 ORDER BY seq LIMIT %d)"
            .formatted(MOVED_AT_ONCE);
    long upTo;
    try (ResultSet row = statement.executeQuery(last)) {
      upTo = row.next() ? row.getLong(1) : 0;
    }
    try (PreparedStatement move = connection.prepareStatement(MOVE);
        PreparedStatement delete =
            connection.prepareStatement("DELETE FROM records_1 WHERE seq <= ?")) {
      move.setLong(1, upTo);
      move.executeUpdate();
      delete.setLong(1, upTo);
      int moved = delete.executeUpdate();
      connection.commit();
      return moved;
    }
  }
}
