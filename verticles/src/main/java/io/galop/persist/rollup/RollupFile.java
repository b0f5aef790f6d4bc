package io.galop.persist.rollup;

import io.galop.persist.cold.SqliteLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The file of the roll-ups and its connections. A commit is an fsync, as the Log is freed after it;
 * readers never wait for the writer (WAL).
 */
final class RollupFile {
  static final int VERSION = 1;

  private static final List<String> TUNING =
      List.of(
          "PRAGMA busy_timeout = 10000",
          "PRAGMA synchronous = FULL",
          "PRAGMA journal_size_limit = 67108864",
          "PRAGMA cache_size = -8192",
          "PRAGMA temp_store = MEMORY");

  private static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE IF NOT EXISTS topics (id INTEGER PRIMARY KEY, topic TEXT NOT NULL UNIQUE)",
          """
          CREATE TABLE IF NOT EXISTS blocks (
            hour INTEGER NOT NULL,
            field TEXT NOT NULL,
            topic INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            minutes BLOB NOT NULL,
            PRIMARY KEY (hour, field, topic, epoch)) WITHOUT ROWID\
          """,
          """
          CREATE TABLE IF NOT EXISTS parts (
            filter TEXT NOT NULL,
            field TEXT NOT NULL,
            since_us INTEGER NOT NULL,
            PRIMARY KEY (filter, field)) WITHOUT ROWID\
          """,
          """
          CREATE TABLE IF NOT EXISTS progress (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            log INTEGER NOT NULL,
            state TEXT NOT NULL)\
          """,
          """
          CREATE TABLE IF NOT EXISTS bounds (
            name TEXT PRIMARY KEY,
            us INTEGER NOT NULL) WITHOUT ROWID\
          """);

  private final Path path;

  RollupFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** Which file is there now; null if there is none, or where the file system does not tell. */
  @Nullable Object identity() {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * A connection that writes; makes what is missing.
   *
   * @throws SQLException also if a newer version has made the file
   */
  Connection writer() throws SQLException, IOException {
    Files.createDirectories(path.toAbsolutePath().getParent());
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
      statement.execute("PRAGMA journal_mode = WAL");
      tune(statement);
      int version = number(connection, "PRAGMA user_version");
      if (version > VERSION) {
        throw new SQLException(
            path + " is of a newer Galop (version " + version + "); run that, or move it away");
      }
      for (String table : SCHEMA) {
        statement.execute(table);
      }
      statement.execute("PRAGMA user_version = " + VERSION);
      connection.setAutoCommit(false);
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
    SqliteLibrary.load();
    SQLiteConfig config = new SQLiteConfig();
    config.setGetGeneratedKeys(false);
    return config.createConnection("jdbc:sqlite:" + path);
  }

  private static void tune(Statement statement) throws SQLException {
    for (String pragma : TUNING) {
      statement.execute(pragma);
    }
  }

  static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : 0;
    }
  }
}
