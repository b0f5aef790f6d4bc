package io.galop.persist.cold;

import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Answers one query. Few topics are read each by its index and merged; many are found by going
 * through all records in the order of time. Either way records come in order and as a stream, so
 * what it costs is bounded by the page and not by the store.
 */
final class ColdSelect {
  /** A page goes through at most so many records that it does not want. */
  private static final int MOST_SCANNED = 50_000;

  private final Connection connection;
  private final ColdQuery query;

  ColdSelect(Connection connection, ColdQuery query) {
    this.connection = connection;
    this.query = query;
  }

  ColdPage run() throws SQLException {
    Optional<List<String>> topics = new ColdTopics(connection).matching(query.filter());
    try (ColdRows.Open rows = new ColdRows.Open()) {
      if (topics.isPresent()) {
        for (String topic : topics.get()) {
          rows.add(ColdRows.ofTopic(connection, query, topic));
        }
      } else {
        rows.add(ColdRows.ofAll(connection, query));
      }
      return page(rows.all());
    }
  }

  private ColdPage page(List<ColdRows> streams) throws SQLException {
    Comparator<ColdRows> order = Comparator.comparing(ColdRows::key);
    PriorityQueue<ColdRows> next =
        new PriorityQueue<>(query.newestFirst() ? order.reversed() : order);
    for (ColdRows stream : streams) {
      if (stream.next()) {
        next.add(stream);
      }
    }
    return merge(next);
  }

  private ColdPage merge(PriorityQueue<ColdRows> next) throws SQLException {
    List<Placed> records = new ArrayList<>();
    Optional<ColdKey> last = Optional.empty();
    long bytes = 0;
    for (int scanned = 0; !next.isEmpty(); scanned++) {
      if (records.size() == query.limit()
          || bytes >= query.maxBytes()
          || scanned == query.limit() + MOST_SCANNED) {
        return new ColdPage(records, last);
      }
      ColdRows first = next.remove();
      last = Optional.of(first.key());
      if (query.filter().matches(first.topic())) {
        records.add(first.placed());
        bytes += records.get(records.size() - 1).record().data().length;
      }
      if (first.next()) {
        next.add(first);
      }
    }
    return new ColdPage(records, Optional.empty());
  }
}
