package io.galop.persist.rollup;

import io.galop.record.TopicFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The topics by their numbers in the file, which never change; read once each. */
final class TopicNames {
  private final Map<Long, String> names = new HashMap<>();
  private long last;

  /** The topic with a number. */
  synchronized String of(long id, Connection connection) throws SQLException {
    if (id > last) {
      learn(connection);
    }
    String name = names.get(id);
    if (name == null) {
      throw new SQLException("there is no topic " + id);
    }
    return name;
  }

  /** The numbers of the topics that a filter means. */
  synchronized List<Long> meant(TopicFilter filter, Connection connection) throws SQLException {
    learn(connection);
    List<Long> meant = new ArrayList<>();
    names.forEach(
        (id, name) -> {
          if (filter.matches(name)) {
            meant.add(id);
          }
        });
    return meant;
  }

  private void learn(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id, topic FROM topics WHERE id > ? ORDER BY id")) {
      select.setLong(1, last);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          last = row.getLong(1);
          names.put(last, row.getString(2));
        }
      }
    }
  }

  synchronized void clear() {
    names.clear();
    last = 0;
  }
}
