package io.galop.persist.cold;

import io.galop.record.TopicFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the topics that a filter means, by leaping from topic to topic through the index. */
final class ColdTopics {
  /** Beyond so many it is cheaper to go through all records in order of time. */
  private static final int MOST_TOPICS = 64;

  private static final int MOST_LEAPS = 1_024;
  private static final String NEXT =
      "SELECT topic FROM records INDEXED BY records_by_topic WHERE topic > ? ORDER BY topic LIMIT 1";
  private final Connection connection;

  ColdTopics(Connection connection) {
    this.connection = connection;
  }

  /** The topics; empty if there are too many. */
  Optional<List<String>> matching(TopicFilter filter) throws SQLException {
    if (filter.isExact()) {
      return Optional.of(List.of(filter.toString()));
    }
    List<String> found = new ArrayList<>();
    String base = base(filter.toString());
    if (!base.isEmpty() && filter.matches(base)) {
      found.add(base);
    }
    try (PreparedStatement next = connection.prepareStatement(NEXT)) {
      String topic = next(next, base);
      for (int leaps = 0; topic.startsWith(base) && !topic.isEmpty(); leaps++) {
        if (leaps == MOST_LEAPS || found.size() == MOST_TOPICS) {
          return Optional.empty();
        }
        if (filter.matches(topic)) {
          found.add(topic);
        }
        topic = next(next, topic);
      }
    }
    return Optional.of(found);
  }

  /** The levels before the first wildcard; a filter that ends with '#' means them too. */
  private static String base(String filter) {
    int wildcard = 0;
    while (filter.charAt(wildcard) != '+' && filter.charAt(wildcard) != '#') {
      wildcard++;
    }
    return filter.substring(0, Math.max(0, wildcard - 1));
  }

  private static String next(PreparedStatement next, String topic) throws SQLException {
    next.setString(1, topic);
    try (ResultSet row = next.executeQuery()) {
      return row.next() ? row.getString(1) : "";
    }
  }
}
