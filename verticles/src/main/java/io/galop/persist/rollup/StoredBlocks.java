package io.galop.persist.rollup;

import io.galop.record.TopicFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The blocks of the file whose topics a filter means, as a connection that reads sees them. Keeps
 * its statements until it is closed. For one thread.
 */
final class StoredBlocks implements AutoCloseable {
  /** Each of so few topics is found by itself; of more all blocks of an hour are gone through. */
  private static final int FEW = 500;

  private static final String NEXT =
      "SELECT hour FROM blocks WHERE hour >= ? ORDER BY hour LIMIT 1";
  private static final String BEFORE =
      "SELECT hour FROM blocks WHERE hour <= ? ORDER BY hour DESC LIMIT 1";
  private static final String HOUR =
      "SELECT topic, epoch, minutes FROM blocks WHERE hour = ? AND field = ?";
  private static final String OF_TOPIC = HOUR + " AND topic = ?";

  private final Connection connection;
  private final TopicNames names;
  private final Set<Long> topics;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  StoredBlocks(Connection connection, TopicNames names, TopicFilter filter) throws SQLException {
    this.connection = connection;
    this.names = names;
    this.topics = Set.copyOf(names.meant(filter, connection));
  }

  /** How many topics the filter means. */
  int topics() {
    return topics.size();
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

  /** Shows the blocks of an hour and a field, as bytes. */
  void of(long hour, String field, BiConsumer<BlockKey, byte[]> shown) throws SQLException {
    if (topics.size() > FEW) {
      show(prepared(HOUR), hour, field, shown);
      return;
    }
    PreparedStatement select = prepared(OF_TOPIC);
    for (long topic : topics) {
      select.setLong(3, topic);
      show(select, hour, field, shown);
    }
  }

  private void show(
      PreparedStatement select, long hour, String field, BiConsumer<BlockKey, byte[]> shown)
      throws SQLException {
    select.setLong(1, hour);
    select.setString(2, field);
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        long topic = row.getLong(1);
        if (topics.contains(topic)) {
          String name = names.of(topic, connection);
          shown.accept(new BlockKey(hour, field, name, row.getLong(2)), row.getBytes(3));
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
