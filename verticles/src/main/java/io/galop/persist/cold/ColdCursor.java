package io.galop.persist.cold;

import io.galop.persist.log.file.LogPosition;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;

/** How far a cold store that no node has open has taken a Log. */
public final class ColdCursor {
  private ColdCursor() {}

  /**
   * Looks it up without changing the store.
   *
   * @param store the file
   * @param log the identity of the Log
   * @return {@link LogPosition#START} if the store has taken nothing of this Log
   * @throws ColdException if the file cannot be read
   */
  public static LogPosition of(Path store, long log) throws ColdException {
    SQLiteConfig readOnly = new SQLiteConfig();
    readOnly.setReadOnly(true);
    try (Connection connection = connect(readOnly, store);
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT segment, \"offset\" FROM log_cursor WHERE log = ?")) {
      select.setLong(1, log);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? new LogPosition(row.getLong(1), row.getLong(2)) : LogPosition.START;
      }
    } catch (SQLException e) {
      throw new ColdException("the cursor in " + store + " cannot be read", e);
    }
  }

  private static Connection connect(SQLiteConfig readOnly, Path store) throws SQLException {
    SqliteLibrary.load();
    return readOnly.createConnection("jdbc:sqlite:" + store);
  }
}
