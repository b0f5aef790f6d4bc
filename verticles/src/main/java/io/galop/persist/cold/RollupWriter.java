package io.galop.persist.cold;

import io.galop.config.persist.RollupConfig;
import io.galop.persist.rollup.Aggregate;
import io.galop.persist.rollup.Cell;
import io.galop.persist.rollup.FieldPath;
import io.galop.persist.rollup.Rollups.Run;
import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Adds records to buckets, in the transaction that stores them. What a batch adds is gathered in
 * memory, which the batch's bytes bound. On the writer's connection and thread, and of no use after
 * a failure.
 */
final class RollupWriter {
  private static final int TRIMMED_AT_ONCE = 5_000;
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE rollups (topic TEXT NOT NULL, begin_us INTEGER NOT NULL, field TEXT NOT"
              + " NULL, n INTEGER NOT NULL, low REAL, high REAL, total REAL, rest REAL, last REAL,"
              + " last_us INTEGER NOT NULL, last_id TEXT NOT NULL,"
              + " PRIMARY KEY (topic, begin_us, field)) WITHOUT ROWID",
          "CREATE INDEX rollups_by_time ON rollups (begin_us)",
          "CREATE TABLE rollup_runs (shard INTEGER, epoch INTEGER, last INTEGER NOT NULL,"
              + " PRIMARY KEY (shard, epoch)) WITHOUT ROWID",
          "CREATE TABLE rollup_extent (definition TEXT NOT NULL, from_us INTEGER NOT NULL,"
              + " seq INTEGER NOT NULL)");

  private final Connection connection;
  private final RollupConfig config;
  private final List<TopicFilter> topics;
  private final List<FieldPath> fields;
  private final long everyUs;
  private long fromUs;
  private final Map<Key, Sum> added = new HashMap<>();
  private final Map<Run, Long> stored = new HashMap<>();

  private record Key(String topic, long beginUs, String field) {}

  /** Values and, by time and id, the last record that has one. */
  private static final class Sum {
    private final Cell cell;
    private long lastUs;
    private String lastId;

    Sum(Cell cell, long lastUs, String lastId) {
      this.cell = cell;
      this.lastUs = lastUs;
      this.lastId = lastId;
    }

    boolean isBefore(long timeUs, String id) {
      return timeUs != lastUs
          ? timeUs > lastUs
          : new ColdKey(timeUs, id, "").compareTo(new ColdKey(lastUs, lastId, "")) > 0;
    }

    void seen(boolean isNewer, long timeUs, String id) {
      lastUs = isNewer ? timeUs : lastUs;
      lastId = isNewer ? id : lastId;
    }
  }

  /** Finds the tables as the configuration says, or begins anew. */
  RollupWriter(Connection connection, RollupConfig config) throws SQLException {
    this.connection = connection;
    this.config = config;
    this.topics =
        config.topics().stream().map(f -> TopicFilter.parse(f, Integer.MAX_VALUE)).toList();
    this.fields = FieldPath.of(config.fields());
    this.everyUs = TimeUnit.SECONDS.toMicros(config.everySeconds());
    String definition = config.everySeconds() + "\n" + config.topics() + "\n" + config.fields();
    try (Statement statement = connection.createStatement()) {
      if (!isWhole(statement, definition)) {
        begin(statement, definition);
      }
      try (ResultSet row = statement.executeQuery("SELECT from_us FROM rollup_extent")) {
        this.fromUs = row.getLong(1);
      }
    }
    connection.commit();
  }

  /** Records that were stored without roll-ups are in none: what is there is of no use then. */
  static void forget(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS rollup_extent");
    }
    connection.commit();
  }

  private boolean isWhole(Statement statement, String definition) throws SQLException {
    String table = "SELECT count(*) FROM sqlite_schema WHERE name = 'rollup_extent'";
    if (SqliteFile.number(connection, table) == 0) {
      return false;
    }
    String extent =
        "SELECT definition, seq >= (SELECT ifnull(max(seq), 0) FROM records) FROM rollup_extent";
    try (ResultSet row = statement.executeQuery(extent)) {
      return row.next() && row.getString(1).equals(definition) && row.getBoolean(2);
    }
  }

  /** Of what is stored already nothing is known, so buckets begin behind its newest time. */
  private void begin(Statement statement, String definition) throws SQLException {
    for (String table : List.of("rollups", "rollup_runs", "rollup_extent")) {
      statement.execute("DROP TABLE IF EXISTS " + table);
    }
    for (String table : TABLES) {
      statement.execute(table);
    }
    long from = Long.MIN_VALUE;
    try (ResultSet row = statement.executeQuery("SELECT max(time_us) FROM records")) {
      long newestUs = row.getLong(1);
      if (!row.wasNull()) {
        from = (Math.floorDiv(newestUs, everyUs) + 1) * everyUs;
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO rollup_extent SELECT ?, ?, ifnull(max(seq), 0) FROM records")) {
      insert.setString(1, definition);
      insert.setLong(2, from);
      insert.executeUpdate();
    }
  }

  /** All of its run up to here is stored by the commit. */
  void onStored(Position position) {
    stored.merge(new Run(position.shard(), position.epoch()), position.offset(), Math::max);
  }

  /** A record that was not there yet. */
  void onNew(Placed placed) {
    Record record = placed.record();
    long beginUs = Math.floorDiv(record.timeUs(), everyUs) * everyUs;
    if (beginUs < fromUs || topics.stream().noneMatch(f -> f.matches(record.topic()))) {
      return;
    }
    for (int i = 0; i < fields.size(); i++) {
      double value = fields.get(i).number(record.data());
      if (!Double.isNaN(value)) {
        add(new Key(record.topic(), beginUs, config.fields().get(i)), value, record);
      }
    }
  }

  private void add(Key key, double value, Record record) {
    Sum sum = added.computeIfAbsent(key, k -> new Sum(new Cell(), Long.MIN_VALUE, ""));
    boolean isNewer = sum.isBefore(record.timeUs(), record.id());
    sum.cell.add(value, isNewer);
    sum.seen(isNewer, record.timeUs(), record.id());
  }

  /** Writes what was gathered; before the commit. */
  void flush() throws SQLException {
    try (PreparedStatement find =
            connection.prepareStatement(
                "SELECT n, low, high, total, rest, last, last_us, last_id FROM rollups"
                    + " WHERE topic = ? AND begin_us = ? AND field = ?");
        PreparedStatement put =
            connection.prepareStatement(
                "INSERT OR REPLACE INTO rollups (topic, begin_us, field, n, low, high, total,"
                    + " rest, last, last_us, last_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (Map.Entry<Key, Sum> one : added.entrySet()) {
        put(put, one.getKey(), summed(find, one.getKey(), one.getValue()));
      }
    }
    added.clear();
    try (PreparedStatement put =
            connection.prepareStatement(
                "INSERT INTO rollup_runs VALUES (?, ?, ?) ON CONFLICT (shard, epoch) DO UPDATE"
                    + " SET last = max(last, excluded.last)");
        Statement statement = connection.createStatement()) {
      for (Map.Entry<Run, Long> one : stored.entrySet()) {
        put.setInt(1, one.getKey().shard());
        put.setLong(2, one.getKey().epoch());
        put.setLong(3, one.getValue());
        put.executeUpdate();
      }
      statement.execute("UPDATE rollup_extent SET seq = (SELECT ifnull(max(seq), 0) FROM records)");
    }
    stored.clear();
  }

  /**
   * Deletes some of what is too old. The extent begins behind it at once; what comes late for it is
   * left out, as it is of no bucket that is whole. It never begins behind the newest bucket, so
   * that a clock that was ahead for a while does not keep later records out.
   *
   * @return whether there is more to delete
   */
  boolean trim(long nowUs) throws SQLException {
    if (config.keepDays() == 0) {
      return false;
    }
    long keptUs = nowUs - TimeUnit.DAYS.toMicros(config.keepDays());
    long newestUs = SqliteFile.number(connection, "SELECT ifnull(max(begin_us), 0) FROM rollups");
    long next = Math.max(fromUs, Math.floorDiv(Math.min(keptUs, newestUs), everyUs) * everyUs);
    try (PreparedStatement move =
            connection.prepareStatement("UPDATE rollup_extent SET from_us = ?");
        PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM rollups WHERE (topic, begin_us, field) IN (SELECT topic, begin_us,"
                    + " field FROM rollups WHERE begin_us < ? ORDER BY begin_us LIMIT "
                    + TRIMMED_AT_ONCE
                    + ")")) {
      move.setLong(1, next);
      move.executeUpdate();
      delete.setLong(1, next);
      int deleted = delete.executeUpdate();
      fromUs = next;
      return deleted == TRIMMED_AT_ONCE;
    }
  }

  private static Sum summed(PreparedStatement find, Key key, Sum more) throws SQLException {
    find.setString(1, key.topic());
    find.setLong(2, key.beginUs());
    find.setString(3, key.field());
    try (ResultSet row = find.executeQuery()) {
      if (!row.next()) {
        return more;
      }
      Sum sum = new Sum(cell(row, 1), row.getLong(7), row.getString(8));
      boolean isNewer = sum.isBefore(more.lastUs, more.lastId);
      sum.cell.add(more.cell, isNewer);
      sum.seen(isNewer, more.lastUs, more.lastId);
      return sum;
    }
  }

  /** The values that begin at a column. */
  static Cell cell(ResultSet row, int at) throws SQLException {
    return new Cell(
        row.getLong(at),
        row.getDouble(at + 1),
        row.getDouble(at + 2),
        row.getDouble(at + 3),
        row.getDouble(at + 4),
        row.getDouble(at + 5));
  }

  private static void put(PreparedStatement put, Key key, Sum sum) throws SQLException {
    put.setString(1, key.topic());
    put.setLong(2, key.beginUs());
    put.setString(3, key.field());
    put.setLong(4, (long) sum.cell.get(Aggregate.COUNT));
    put.setDouble(5, sum.cell.get(Aggregate.MIN));
    put.setDouble(6, sum.cell.get(Aggregate.MAX));
    put.setDouble(7, sum.cell.sum());
    put.setDouble(8, sum.cell.rest());
    put.setDouble(9, sum.cell.get(Aggregate.LAST));
    put.setLong(10, sum.lastUs);
    put.setString(11, sum.lastId);
    put.executeUpdate();
  }
}
