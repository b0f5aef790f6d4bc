package io.galop.persist.sink;

import io.galop.config.ConfigLoader;
import io.galop.persist.cold.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The file of an embedded store, and what another tool finds in it. */
record ColdFile(Path path) {
  static ColdFile in(Path directory) {
    return new ColdFile(directory.resolve("cold.sqlite"));
  }

  SqliteStore open() throws Exception {
    return SqliteStore.open(path, ConfigLoader.defaults().persist().cold());
  }

  /** The answer to a question that has one number for it. */
  long number(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
