package io.galop.persist.cold;

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
 * Opens connections to the file and keeps its schema.
 *
 * <p>A commit is an fsync (synchronous=FULL): the Log is freed after it, so a transaction that a
 * power cut takes back would be lost. Readers never wait for the writer (WAL).
 */
final class SqliteFile {
  private static final List<String> TUNING =
      List.of(
          "PRAGMA busy_timeout = 10000",
          "PRAGMA synchronous = FULL",
          "PRAGMA wal_autocheckpoint = 16384",
          "PRAGMA journal_size_limit = 67108864",
          "PRAGMA cache_size = -32768",
          "PRAGMA temp_store = MEMORY");

  private final Path path;

  SqliteFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /**
   * Which file is there, whatever its name: another one has another; null if there is none, or
   * where the file system does not tell.
   */
  @Nullable Object identity() {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /** A connection that writes; brings the schema up to date. */
  Connection writer() throws SQLException {
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
      statement.execute("PRAGMA journal_mode = WAL");
      tune(statement);
      connection.setAutoCommit(false);
      new SqliteMigration(connection, statement).run();
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
    // Else the driver asks for the row's number after each insert, a sixth of the time it takes.
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
