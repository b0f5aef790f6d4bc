package io.galop.persist.cold;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.sqlite.SQLiteConfig;

/**
 * Opens connections to the file and keeps its schema.
 *
 * <p>A commit is an fsync (synchronous=FULL): the Log is freed after it, so a transaction that a
 * power cut takes back would be lost. Readers never wait for the writer (WAL).
 */
final class SqliteFile {
  private static final int VERSION = 1;
  private static final List<String> TUNING =
      List.of(
          "PRAGMA busy_timeout = 10000",
          "PRAGMA synchronous = FULL",
          "PRAGMA wal_autocheckpoint = 16384",
          "PRAGMA journal_size_limit = 67108864",
          "PRAGMA cache_size = -32768",
          "PRAGMA temp_store = MEMORY");

  /** Statements that bring the schema from the version of their place to the next. */
  private static final List<List<String>> MIGRATIONS =
      List.of(
          List.of(
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
                stored_us INTEGER NOT NULL)""",
              "CREATE INDEX records_by_topic ON records (topic, time_us, id)",
              "CREATE INDEX records_by_time ON records (time_us, id)",
              """
              CREATE TABLE log_cursor (
                one INTEGER PRIMARY KEY CHECK (one = 1),
                log INTEGER NOT NULL,
                segment INTEGER NOT NULL,
                "offset" INTEGER NOT NULL)"""));

  private final Path path;

  SqliteFile(Path path) {
    this.path = path;
  }

  /** A connection that writes; brings the schema up to date. */
  Connection writer() throws SQLException {
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
      statement.execute("PRAGMA journal_mode = WAL");
      tune(statement);
      connection.setAutoCommit(false);
      migrate(connection, statement);
      connection.commit();
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** A connection that only reads. */
  Connection reader() throws SQLException {
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      tune(statement);
      statement.execute("PRAGMA query_only = ON");
    }
    return connection;
  }

  private Connection connect() throws SQLException {
    SqliteLibrary.place();
    SQLiteConfig config = new SQLiteConfig();
    // Else the driver asks for the row's number after each insert, a sixth of the time it takes.
    config.setGetGeneratedKeys(false);
    return config.createConnection("jdbc:sqlite:" + path);
  }

  private static void tune(Statement statement) throws SQLException {
    for (String pragma : TUNING) {
      statement.execute(pragma);
    }
  }

  private void migrate(Connection connection, Statement statement) throws SQLException {
    int version = number(connection, "PRAGMA user_version");
    if (version > VERSION) {
      throw new SQLException(
          "has schema version " + version + ", this Galop knows " + VERSION + "; start the newer");
    }
    for (List<String> step : MIGRATIONS.subList(version, VERSION)) {
      for (String sql : step) {
        statement.execute(sql);
      }
    }
    statement.execute("PRAGMA user_version = " + VERSION);
  }

  static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : 0;
    }
  }
}
