package io.galop.persist.cold;

import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The rows of one statement, in the order of a query; stands on one of them. */
final class ColdRows {
  private static final String COLUMNS =
      "SELECT id, topic, time_us, data, shard, epoch, \"offset\" FROM records INDEXED BY ";
  private final PreparedStatement statement;
  private final ResultSet rows;
  private ColdKey key = new ColdKey(0, "", "");

  private ColdRows(PreparedStatement statement) throws SQLException {
    this.statement = statement;
    this.rows = statement.executeQuery();
  }

  static ColdRows ofTopic(Connection connection, ColdQuery query, String topic)
      throws SQLException {
    PreparedStatement statement =
        connection.prepareStatement(sql("records_by_topic WHERE topic = ? AND ", query));
    statement.setString(1, topic);
    bind(statement, 2, query);
    return new ColdRows(statement);
  }

  static ColdRows ofAll(Connection connection, ColdQuery query) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql("records_by_time WHERE ", query));
    bind(statement, 1, query);
    return new ColdRows(statement);
  }

  private static String sql(String from, ColdQuery query) {
    String after = query.newestFirst() ? "<" : ">";
    String order = query.newestFirst() ? " DESC" : "";
    return COLUMNS
        + from
        + "time_us BETWEEN ? AND ?"
        + (query.after().isPresent() ? " AND (time_us, id, topic) " + after + " (?, ?, ?)" : "")
        + " ORDER BY time_us"
        + order
        + ", id"
        + order
        + ", topic"
        + order;
  }

  private static void bind(PreparedStatement statement, int first, ColdQuery query)
      throws SQLException {
    ColdKey after = query.after().orElse(null);
    long fromUs = query.fromUs();
    long toUs = query.toUs();
    if (after != null) {
      fromUs = query.newestFirst() ? fromUs : Math.max(fromUs, after.timeUs());
      toUs = query.newestFirst() ? Math.min(toUs, after.timeUs()) : toUs;
      statement.setLong(first + 2, after.timeUs());
      statement.setString(first + 3, after.id());
      statement.setString(first + 4, after.topic());
    }
    statement.setLong(first, fromUs);
    statement.setLong(first + 1, toUs);
  }

  /** Moves to the next row; false if there is none. */
  boolean next() throws SQLException {
    if (!rows.next()) {
      return false;
    }
    key = new ColdKey(rows.getLong(3), rows.getString(1), rows.getString(2));
    return true;
  }

  ColdKey key() {
    return key;
  }

  String topic() {
    return key.topic();
  }

  Placed placed() throws SQLException {
    return new Placed(
        new Position(rows.getInt(5), rows.getLong(6), rows.getLong(7)),
        new Record(key.id(), topic(), key.timeUs(), rows.getBytes(4)));
  }

  /** Statements that are closed together. */
  static final class Open implements AutoCloseable {
    private final List<ColdRows> open = new ArrayList<>();

    void add(ColdRows rows) {
      open.add(rows);
    }

    List<ColdRows> all() {
      return open;
    }

    @Override
    public void close() throws SQLException {
      for (ColdRows rows : open) {
        rows.statement.close();
      }
    }
  }
}
