package io.galop.persist.cold;

import io.galop.config.persist.ColdConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.retention.StoredAhead;
import io.galop.record.Placed;
import io.galop.record.Record;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * The connection that writes; for one thread. After a failure it is of no use any more: what was
 * begun ends with it.
 */
final class SqliteWriter implements AutoCloseable {
  private static final int TRIMMED_AT_ONCE = 5_000;
  private static final String TRIM =
      "DELETE FROM records WHERE stored_us < ? AND seq IN (SELECT seq FROM records ORDER BY seq"
          + " LIMIT "
          + TRIMMED_AT_ONCE
          + ")";
  private final Connection connection;
  private final ColdConfig config;
  private final LongSupplier nowMs;
  private final PreparedStatement insert;
  private final PreparedStatement moveCursor;
  private Optional<String> warning = Optional.empty();

  SqliteWriter(Connection connection, ColdConfig config, LongSupplier nowMs) throws SQLException {
    this.connection = connection;
    this.config = config;
    this.nowMs = nowMs;
    this.insert =
        connection.prepareStatement(
            "INSERT INTO records (id, topic, time_us, data, shard, epoch, \"offset\", stored_us)"
                + " VALUES (?, ?, ?, CAST(? AS TEXT), ?, ?, ?, ?) ON CONFLICT (topic, id) DO"
                + " NOTHING");
    this.moveCursor =
        connection.prepareStatement(
            "INSERT INTO log_cursor (one, log, segment, \"offset\") VALUES (1, ?, ?, ?) ON"
                + " CONFLICT (one) DO UPDATE SET log = excluded.log, segment = excluded.segment,"
                + " \"offset\" = excluded.\"offset\"");
  }

  Optional<LogPosition> cursor(long log) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT segment, \"offset\" FROM log_cursor WHERE log = ?")) {
      select.setLong(1, log);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(new LogPosition(row.getLong(1), row.getLong(2)))
            : Optional.empty();
      }
    } finally {
      connection.rollback();
    }
  }

  int store(List<Placed> records, long log, Optional<LogPosition> upTo) throws SQLException {
    int added = insert(records);
    if (upTo.isPresent()) {
      moveCursor.setLong(1, log);
      moveCursor.setLong(2, upTo.get().segment());
      moveCursor.setLong(3, upTo.get().offset());
      moveCursor.executeUpdate();
    }
    connection.commit();
    return added;
  }

  private int insert(List<Placed> records) throws SQLException {
    long nowUs = TimeUnit.MILLISECONDS.toMicros(nowMs.getAsLong());
    int added = 0;
    for (Placed placed : records) {
      Record record = placed.record();
      insert.setString(1, record.id());
      insert.setString(2, record.topic());
      insert.setLong(3, record.timeUs());
      insert.setBytes(4, record.data());
      insert.setInt(5, placed.position().shard());
      insert.setLong(6, placed.position().epoch());
      insert.setLong(7, placed.position().offset());
      insert.setLong(8, nowUs);
      added += insert.executeUpdate();
    }
    return added;
  }

  /** Deletes some of the oldest records if they are too old or too many. */
  boolean trim(LongUnaryOperator clock) throws SQLException {
    long before = isTooLarge() ? Long.MAX_VALUE : keptSinceUs(clock);
    OptionalLong oldest = oldestUs();
    warning =
        config.retentionHours() == 0 || oldest.isEmpty()
            ? Optional.empty()
            : StoredAhead.warning(oldest.getAsLong(), nowMs.getAsLong());
    int deleted = oldest.orElse(Long.MAX_VALUE) < before ? delete(before) : 0;
    connection.commit();
    return deleted == TRIMMED_AT_ONCE;
  }

  /** What there is to see to, as of the last {@link #trim}. */
  Optional<String> warning() {
    return warning;
  }

  private long keptSinceUs(LongUnaryOperator clock) {
    if (config.retentionHours() == 0) {
      return Long.MIN_VALUE;
    }
    long keptMs = TimeUnit.HOURS.toMillis(config.retentionHours());
    return TimeUnit.MILLISECONDS.toMicros(clock.applyAsLong(keptMs) - keptMs);
  }

  /** When the oldest record was stored. */
  private OptionalLong oldestUs() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT stored_us FROM records ORDER BY seq LIMIT 1")) {
      return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
    }
  }

  private int delete(long before) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(TRIM);
        Statement statement = connection.createStatement()) {
      delete.setLong(1, before);
      int deleted = delete.executeUpdate();
      if (deleted > 0) {
        statement.execute("PRAGMA incremental_vacuum(256)");
      }
      return deleted;
    }
  }

  private boolean isTooLarge() throws SQLException {
    if (config.maxBytes() == 0) {
      return false;
    }
    long pages =
        SqliteFile.number(connection, "PRAGMA page_count")
            - SqliteFile.number(connection, "PRAGMA freelist_count");
    return pages * SqliteFile.number(connection, "PRAGMA page_size") > config.maxBytes();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
