package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.EmptiedException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far the Log is stored, beside the records. Its row says in {@code opened_us} that it was made
 * when the store was opened: an update alone would make the row anew after the table was emptied.
 * Each change has a later timestamp than what it changes, whatever the clocks say, since the server
 * keeps the value with the latest one. From any thread; blocks.
 */
final class CassandraCursor {
  private static final long FIRST_STEP_US = TimeUnit.SECONDS.toMicros(1);
  private static final long STEPS_GROW = 4;
  private static final long FURTHEST_US = TimeUnit.DAYS.toMicros(36_500);

  private final String table;
  private long lastStampUs;

  /** What the server has confirmed last. */
  private LogPosition saved = LogPosition.START;

  CassandraCursor(String keyspace) {
    this.table = keyspace + ".galop_cursor";
  }

  private static String key(long log) {
    return Long.toHexString(log);
  }

  /** How far the store is; empty if it has nothing of this Log. */
  Optional<LogPosition> open(CqlSession session, long log) {
    Row row = read(session, log);
    if (row == null || !isThere(row)) {
      learnStamp(row);
      begin(session, log);
      remember(LogPosition.START);
      return Optional.empty();
    }
    learnStamp(row);
    LogPosition at = position(row);
    remember(at);
    return at.equals(LogPosition.START) ? Optional.empty() : Optional.of(at);
  }

  /**
   * A row that was deleted by a clock that is ahead hides what is written with an earlier
   * timestamp, which the server takes all the same: then it is written again, further ahead each
   * time.
   */
  private void begin(CqlSession session, long log) {
    insert(session, log, 0);
    for (long aheadUs = FIRST_STEP_US; !isThere(read(session, log)); aheadUs *= STEPS_GROW) {
      if (aheadUs > FURTHEST_US) {
        throw new IllegalStateException(
            "the row %s of %s was deleted with a timestamp that no clock reaches; TRUNCATE %s, and"
                    .formatted(key(log), table, table)
                + " the store is filled anew");
      }
      insert(session, log, aheadUs);
    }
  }

  private static boolean isThere(@Nullable Row row) {
    return row != null && !row.isNull("opened_us") && !row.isNull("segment");
  }

  private void insert(CqlSession session, long log, long aheadUs) {
    String sql =
        "INSERT INTO %s (log, segment, \"offset\", opened_us) VALUES (?, ?, ?, ?) USING TIMESTAMP ?";
    long stampUs = nextStampUs(aheadUs);
    session.execute(
        SimpleStatement.newInstance(
            sql.formatted(table),
            key(log),
            LogPosition.START.segment(),
            LogPosition.START.offset(),
            stampUs,
            stampUs));
  }

  private @Nullable Row read(CqlSession session, long log) {
    String sql =
        "SELECT segment, \"offset\", opened_us, WRITETIME(segment) AS stamp FROM %s WHERE log = ?";
    return session.execute(SimpleStatement.newInstance(sql.formatted(table), key(log))).one();
  }

  private static LogPosition position(Row row) {
    return new LogPosition(row.getLong("segment"), row.getLong("offset"));
  }

  private synchronized void learnStamp(@Nullable Row row) {
    if (row != null && !row.isNull("stamp")) {
      lastStampUs = Math.max(lastStampUs, row.getLong("stamp"));
    }
  }

  private synchronized long nextStampUs(long aheadUs) {
    long nowUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    lastStampUs = Math.max(nowUs + aheadUs, lastStampUs + 1);
    return lastStampUs;
  }

  private synchronized void remember(LogPosition at) {
    saved = at;
  }

  private synchronized LogPosition saved() {
    return saved;
  }

  void save(CqlSession session, long log, LogPosition upTo) {
    String sql = "UPDATE %s USING TIMESTAMP ? SET segment = ?, \"offset\" = ? WHERE log = ?";
    session.execute(
        SimpleStatement.newInstance(
            sql.formatted(table), nextStampUs(0), upTo.segment(), upTo.offset(), key(log)));
    remember(upTo);
  }

  /**
   * Says that nothing of the Log is here any more.
   *
   * @throws EmptiedException always
   */
  void restart(CqlSession session, long log) throws EmptiedException {
    save(session, log, LogPosition.START);
    throw new EmptiedException("a table was emptied");
  }

  /**
   * Looks whether the cursor is there and where it was saved.
   *
   * @throws EmptiedException if not: a crash or a copy that was restored has taken records back too
   */
  void check(CqlSession session, long log) throws EmptiedException {
    LogPosition known = saved();
    Row row = read(session, log);
    if (row == null || row.isNull("opened_us")) {
      throw new EmptiedException("the keyspace was emptied");
    }
    if (!row.isNull("segment") && position(row).compareTo(known) < 0) {
      throw new EmptiedException("the cursor was set back, so records may be gone");
    }
  }
}
