package io.galop.persist.cold;

import io.galop.config.persist.RollupConfig;
import io.galop.persist.rollup.Rollups;
import io.galop.persist.store.ThreadConnections;
import io.galop.record.TopicFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Reads the buckets that a {@link RollupWriter} keeps. */
final class SqliteRollups implements Rollups {
  /** Each has a connection, with a cache of its own. */
  private static final int AT_ONCE = 2;

  private final Semaphore turns = new Semaphore(AT_ONCE);
  private final ThreadConnections<Connection> readers;
  private final RollupConfig config;

  SqliteRollups(ThreadConnections<Connection> readers, RollupConfig config) {
    this.readers = readers;
    this.config = config;
  }

  @Override
  public boolean cover(TopicFilter filter, List<String> fields, long everyUs) {
    boolean isAll = config.topics().contains("#") && !filter.toString().startsWith("$");
    return everyUs % TimeUnit.SECONDS.toMicros(config.everySeconds()) == 0
        && config.fields().containsAll(fields)
        && (isAll || config.topics().contains(filter.toString()) || isExactlyIn(filter));
  }

  private boolean isExactlyIn(TopicFilter filter) {
    return filter.isExact()
        && config.topics().stream()
            .anyMatch(f -> TopicFilter.parse(f, Integer.MAX_VALUE).matches(filter.toString()));
  }

  @Override
  public void read(TopicFilter filter, List<String> fields, Choice choice, Rows rows)
      throws Exception {
    turns.acquire();
    try {
      readers.with(
          connection -> {
            connection.setAutoCommit(false); // what is read is of one moment
            read(connection, filter, fields, choice, rows);
            connection.rollback();
            connection.setAutoCommit(true);
            return true;
          });
    } finally {
      turns.release();
    }
  }

  private static void read(
      Connection connection, TopicFilter filter, List<String> fields, Choice choice, Rows rows)
      throws SQLException {
    Range range = choice.of(extent(connection));
    if (range.fromUs() >= range.toUs()) {
      return;
    }
    String sql =
        "SELECT begin_us, topic, field, n, low, high, total, rest, last FROM rollups"
            + (filter.isExact() ? " WHERE topic = ? AND" : " INDEXED BY rollups_by_time WHERE")
            + " begin_us >= ? AND begin_us < ? ORDER BY begin_us"
            + (range.newestFirst() ? " DESC" : "");
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      int at = 1;
      if (filter.isExact()) {
        select.setString(at++, filter.toString());
      }
      select.setLong(at, range.fromUs());
      select.setLong(at + 1, range.toUs());
      try (ResultSet row = select.executeQuery()) {
        boolean isWanted = true;
        while (isWanted && row.next()) {
          int field = fields.indexOf(row.getString(3));
          isWanted =
              field < 0
                  || !filter.matches(row.getString(2))
                  || rows.on(row.getLong(1), row.getString(2), field, RollupWriter.cell(row, 4));
        }
      }
    }
  }

  private static Extent extent(Connection connection) throws SQLException {
    Map<Run, Long> last = new HashMap<>();
    try (Statement statement = connection.createStatement()) {
      long fromUs = Long.MAX_VALUE;
      try (ResultSet row = statement.executeQuery("SELECT from_us FROM rollup_extent")) {
        fromUs = row.next() ? row.getLong(1) : fromUs;
      }
      try (ResultSet row = statement.executeQuery("SELECT shard, epoch, last FROM rollup_runs")) {
        while (row.next()) {
          last.put(new Run(row.getInt(1), row.getLong(2)), row.getLong(3));
        }
      }
      return new Extent(fromUs, last);
    }
  }
}
