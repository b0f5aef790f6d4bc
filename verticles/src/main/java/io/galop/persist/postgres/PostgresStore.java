package io.galop.persist.postgres;

import io.galop.config.persist.PostgresConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.TableTrim;
import io.galop.persist.sql.TableWitness;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.EmptiedException;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * A cold store in a PostgreSQL database. A batch is one INSERT of many rows, which is one
 * transaction and one commit; of two records with the same id on one topic the first stays. The
 * cursor is saved after the commits that it stands for: what is sent again after a failure in
 * between is known by its id.
 */
final class PostgresStore implements Store {
  private static final String NOW_MS =
      "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

  private final SqlLink link;
  private final TableTrim trim;
  private final PostgresReads reads;
  private final TableWitness witness;
  private volatile long log;

  PostgresStore(SqlLink link, PostgresConfig config) {
    this.link = link;
    this.trim = new TableTrim(link, config.retentionHours(), NOW_MS);
    this.reads = new PostgresReads(link, config.name());
    this.witness = new TableWitness(link, config.retentionHours());
  }

  @Override
  public Future<Optional<LogPosition>> open(long logId) {
    log = logId;
    String cursor = "SELECT segment, \"offset\" FROM galop_cursor WHERE log = ?";
    return link.reset()
        .compose(v -> new PostgresSchema(link).make())
        .compose(v -> link.ask(cursor, List.of(logId)))
        .map(rows -> rows.stream().map(PostgresStore::position).findFirst())
        .onSuccess(found -> witness.onOpened(found.isPresent()))
        .recover(failure -> Future.failedFuture(PostgresErrors.told(failure)));
  }

  private static LogPosition position(Object[] row) {
    return new LogPosition((Long) row[0], (Long) row[1]);
  }

  @Override
  public Future<Integer> write(StoreBatch parcel) {
    List<Placed> records = parcel.records();
    if (PostgresInsert.hasNul(records)) {
      return Future.failedFuture(PostgresErrors.nul());
    }
    long nowUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return link.write(PostgresInsert.SQL, PostgresInsert.parameters(records, nowUs))
        .onSuccess(done -> witness.onStored(records.get(records.size() - 1).record(), nowUs))
        .map(Long::intValue)
        .recover(failure -> Future.failedFuture(PostgresErrors.ofRecords(failure)));
  }

  @Override
  public Future<Void> saveCursor(long logId, LogPosition upTo) {
    long nowUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return link.write(
            "INSERT INTO galop_cursor (log, segment, \"offset\", moved_us) VALUES (?,?,?,?) ON"
                + " CONFLICT (log) DO UPDATE SET segment = excluded.segment,"
                + " \"offset\" = excluded.\"offset\", moved_us = excluded.moved_us",
            List.of(logId, upTo.segment(), upTo.offset(), nowUs))
        .recover(failure -> Future.failedFuture(PostgresErrors.told(failure)))
        .mapEmpty();
  }

  @Override
  public Future<Boolean> trim(LongUnaryOperator clock) {
    long nowMs = System.currentTimeMillis();
    return witness
        .isGone(nowMs)
        .compose(gone -> gone ? emptied() : trim.run(clock))
        .recover(failure -> Future.failedFuture(PostgresErrors.told(failure)));
  }

  /** Without its cursor the Log is read again from where it begins. */
  private Future<Boolean> emptied() {
    return link.write("DELETE FROM galop_cursor WHERE log = ?", List.of(log))
        .compose(done -> Future.failedFuture(new EmptiedException("the table was emptied")));
  }

  @Override
  public Optional<String> warning() {
    return trim.warning();
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    return reads.query(query);
  }

  @Override
  public void close() {
    link.close();
  }
}
