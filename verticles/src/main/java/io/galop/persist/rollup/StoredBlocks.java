package io.galop.persist.rollup;

import io.galop.record.TopicFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * The blocks of the file, as a connection that reads sees them. Keeps its statements until it is
 * closed. For one thread.
 */
final class StoredBlocks implements AutoCloseable {
  private static final String NEXT =
      "SELECT hour FROM blocks WHERE hour >= ? ORDER BY hour LIMIT 1";
  private static final String BEFORE =
      "SELECT hour FROM blocks WHERE hour <= ? ORDER BY hour DESC LIMIT 1";
  private static final String COUNT = "SELECT count(*) FROM blocks WHERE hour = ? AND field = ?";
  private static final String HOUR =
      "SELECT topic, epoch, minutes FROM blocks WHERE hour = ? AND field = ?";
  private static final String OF_TOPIC =
      HOUR + " AND topic = (SELECT id FROM topics WHERE topic = ?)";

  private final Connection connection;
  private final TopicNames names;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  StoredBlocks(Connection connection, TopicNames names) {
    this.connection = connection;
    this.names = names;
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement known = statements.get(sql);
    if (known == null) {
      known = connection.prepareStatement(sql);
      statements.put(sql, known);
    }
    return known;
  }

  /** The first hour from one on that has blocks, in the order of time or against it. */
  OptionalLong hour(long from, boolean newestFirst) throws SQLException {
    PreparedStatement select = prepared(newestFirst ? BEFORE : NEXT);
    select.setLong(1, from);
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
    }
  }

  /** How many blocks an hour has of some fields. */
  long count(long hour, List<String> fields) throws SQLException {
    long count = 0;
    PreparedStatement select = prepared(COUNT);
    for (String field : fields) {
      select.setLong(1, hour);
      select.setString(2, field);
      try (ResultSet row = select.executeQuery()) {
        count += row.next() ? row.getLong(1) : 0;
      }
    }
    return count;
  }

  /** Shows the blocks of an hour and a field whose topics a filter means, as bytes. */
  void of(long hour, String field, TopicFilter filter, BiConsumer<BlockKey, byte[]> shown)
      throws SQLException {
    boolean isExact = filter.isExact();
    PreparedStatement select = prepared(isExact ? OF_TOPIC : HOUR);
    select.setLong(1, hour);
    select.setString(2, field);
    if (isExact) {
      select.setString(3, filter.toString());
    }
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        String topic = names.of(row.getLong(1), connection);
        if (filter.matches(topic)) {
          shown.accept(new BlockKey(hour, field, topic, row.getLong(2)), row.getBytes(3));
        }
      }
    }
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
  }
}
