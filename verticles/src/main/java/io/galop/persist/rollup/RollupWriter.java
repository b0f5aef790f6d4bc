package io.galop.persist.rollup;

import io.galop.persist.rollup.RollupRules.Part;
import io.galop.persist.store.LogProgress;
import io.galop.persist.store.ReopenException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection that writes the file. Invariant: blocks and how far the Log is in them are
 * committed together. For one thread; after a failure it is of no use any more.
 */
final class RollupWriter implements AutoCloseable, OpenBlocks.Source {
  private static final int TRIMMED_AT_ONCE = 2_000;
  private static final int MOST_IDS = 100_000;

  private final Connection connection;
  private final PreparedStatement select;
  private final PreparedStatement upsert;
  private final PreparedStatement addTopic;
  private final PreparedStatement topicId;
  private final PreparedStatement keep;
  private final Map<String, Long> ids = new HashMap<>();

  RollupWriter(RollupFile file) throws SQLException, IOException {
    this.connection = file.writer();
    this.select =
        connection.prepareStatement(
            "SELECT minutes FROM blocks WHERE hour = ? AND field = ? AND epoch = ? AND topic ="
                + " (SELECT id FROM topics WHERE topic = ?)");
    this.upsert =
        connection.prepareStatement(
            "INSERT INTO blocks (hour, field, topic, epoch, minutes) VALUES (?, ?, ?, ?, ?) ON"
                + " CONFLICT (hour, field, topic, epoch) DO UPDATE SET minutes = excluded.minutes");
    this.addTopic =
        connection.prepareStatement("INSERT INTO topics (topic) VALUES (?) ON CONFLICT DO NOTHING");
    this.topicId = connection.prepareStatement("SELECT id FROM topics WHERE topic = ?");
    this.keep =
        connection.prepareStatement(
            "INSERT INTO progress (one, log, state) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE"
                + " SET log = excluded.log, state = excluded.state");
  }

  /** Why nothing can be done without one: the sink has to open the store again. */
  static ReopenException closed() {
    return new ReopenException("the store is closed", new IllegalStateException("no connection"));
  }

  /** How far a Log is in the file; empty if nothing of it is. */
  Optional<LogProgress> progress(long log) throws SQLException {
    try (PreparedStatement one =
        connection.prepareStatement("SELECT state FROM progress WHERE log = ?")) {
      one.setLong(1, log);
      try (ResultSet row = one.executeQuery()) {
        return row.next()
            ? Optional.of(LogProgress.of(new JsonObject(row.getString(1))))
            : Optional.empty();
      }
    } finally {
      connection.rollback();
    }
  }

  /**
   * From when on the file has all values of each part: what it knew stays, a part that it has not
   * heard of begins now, and those that are no more wanted are forgotten.
   *
   * @param newSinceUs from when on it will have a new one
   */
  Map<Part, Long> cover(Set<Part> wanted, long newSinceUs) throws SQLException {
    Map<Part, Long> known = new HashMap<>();
    try (Statement all = connection.createStatement();
        ResultSet row = all.executeQuery("SELECT filter, field, since_us FROM parts")) {
      while (row.next()) {
        known.put(new Part(row.getString(1), row.getString(2)), row.getLong(3));
      }
    }
    Map<Part, Long> covered = new LinkedHashMap<>();
    wanted.forEach(part -> covered.put(part, known.getOrDefault(part, newSinceUs)));
    try (Statement none = connection.createStatement();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO parts (filter, field, since_us) VALUES (?, ?, ?)")) {
      none.execute("DELETE FROM parts");
      for (Map.Entry<Part, Long> part : covered.entrySet()) {
        insert.setString(1, part.getKey().filter());
        insert.setString(2, part.getKey().field());
        insert.setLong(3, part.getValue());
        insert.executeUpdate();
      }
    }
    connection.commit();
    return covered;
  }

  /** Then all are new, with what is committed next. */
  void forgetParts() throws SQLException {
    try (Statement none = connection.createStatement()) {
      none.execute("DELETE FROM parts");
    }
  }

  @Override
  public @Nullable MinuteBlock block(BlockKey key) throws SQLException {
    select.setLong(1, key.hour());
    select.setString(2, key.field());
    select.setLong(3, key.epoch());
    select.setString(4, key.topic());
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? MinuteBlock.of(row.getBytes(1)) : null;
    }
  }

  /** Keeps blocks, and how far the Log is in the file with them: both or neither. */
  void write(Map<BlockKey, byte[]> blocks, long log, LogProgress progress) throws SQLException {
    for (Map.Entry<BlockKey, byte[]> block : blocks.entrySet()) {
      BlockKey key = block.getKey();
      upsert.setLong(1, key.hour());
      upsert.setString(2, key.field());
      upsert.setLong(3, id(key.topic()));
      upsert.setLong(4, key.epoch());
      upsert.setBytes(5, block.getValue());
      upsert.executeUpdate();
    }
    keep.setLong(1, log);
    keep.setString(2, progress.json().encode());
    keep.executeUpdate();
    connection.commit();
  }

  private long id(String topic) throws SQLException {
    Long known = ids.get(topic);
    if (known != null) {
      return known;
    }
    addTopic.setString(1, topic);
    addTopic.executeUpdate();
    topicId.setString(1, topic);
    try (ResultSet row = topicId.executeQuery()) {
      row.next();
      long id = row.getLong(1);
      if (ids.size() >= MOST_IDS) {
        ids.clear();
      }
      ids.put(topic, id);
      return id;
    }
  }

  /** Lets go of everything: what it has counted may come again. */
  void empty() throws SQLException {
    try (Statement all = connection.createStatement()) {
      for (String table : new String[] {"blocks", "parts", "progress", "bounds"}) {
        all.execute("DELETE FROM " + table);
      }
    }
    connection.commit();
  }

  /**
   * A time that is kept with the blocks, in microseconds since 1970.
   *
   * @return {@link Long#MIN_VALUE} if there is none
   */
  long bound(String name) throws SQLException {
    try (PreparedStatement one =
        connection.prepareStatement("SELECT us FROM bounds WHERE name = ?")) {
      one.setString(1, name);
      try (ResultSet row = one.executeQuery()) {
        return row.next() ? row.getLong(1) : Long.MIN_VALUE;
      }
    }
  }

  /** Keeps it, with what is committed next. */
  void bound(String name, long us) throws SQLException {
    try (PreparedStatement keep =
        connection.prepareStatement(
            "INSERT INTO bounds (name, us) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET us ="
                + " excluded.us")) {
      keep.setString(1, name);
      keep.setLong(2, us);
      keep.executeUpdate();
    }
  }

  /** The first hour that has blocks; empty if there are none. */
  OptionalLong firstHour() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT hour FROM blocks ORDER BY hour LIMIT 1")) {
      return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
    }
  }

  /**
   * Deletes some of what is before an hour.
   *
   * @return whether there may be more
   */
  boolean deleteBefore(long hour) throws SQLException {
    try (PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM blocks WHERE (hour, field, topic, epoch) IN (SELECT hour, field,"
                    + " topic, epoch FROM blocks WHERE hour < ? ORDER BY hour LIMIT "
                    + TRIMMED_AT_ONCE
                    + ")");
        Statement statement = connection.createStatement()) {
      delete.setLong(1, hour);
      int deleted = delete.executeUpdate();
      connection.commit();
      if (deleted > 0) {
        statement.execute("PRAGMA incremental_vacuum(1024)");
        connection.commit();
      }
      return deleted == TRIMMED_AT_ONCE;
    }
  }

  /** What the blocks and all else take, without pages that are free. */
  long usedBytes() throws SQLException {
    long pages =
        RollupFile.number(connection, "PRAGMA page_count")
            - RollupFile.number(connection, "PRAGMA freelist_count");
    return pages * RollupFile.number(connection, "PRAGMA page_size");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
