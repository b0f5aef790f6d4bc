package io.galop.persist.mysql;

import io.galop.config.persist.MysqlConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sql.SqlError;
import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.TableTrim;
import io.galop.persist.sql.TableWitness;
import io.galop.persist.store.BadRecordException;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.EmptiedException;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * A cold store in a MySQL or MariaDB database. A batch is one INSERT of many rows, which is one
 * transaction and one commit; of two records with the same id on one topic the first stays. The
 * cursor is saved after the commits that it stands for: what is sent again after a failure in
 * between is known by its id.
 */
final class MysqlStore implements Store {
  /**
   * Errors that are about a record: too long for its column, not of its type or character set,
   * against a check of the table, larger than a packet.
   */
  private static final Set<Integer> BAD = Set.of(1048, 1153, 1264, 1292, 1366, 1406, 3819, 4025);

  private static final String NOW_MS = "CAST(UNIX_TIMESTAMP() * 1000 AS SIGNED)";

  private final SqlLink link;
  private final TableTrim trim;
  private final MysqlReads reads;
  private final TableWitness witness;
  private volatile long log;
  private volatile long maxPacketBytes = Long.MAX_VALUE;

  MysqlStore(SqlLink link, MysqlConfig config) {
    this.link = link;
    this.trim = new TableTrim(link, config.retentionHours(), NOW_MS);
    this.reads = new MysqlReads(link, config.name());
    this.witness = new TableWitness(link, config.retentionHours());
  }

  @Override
  public Future<Optional<LogPosition>> open(long logId) {
    log = logId;
    return link.reset()
        .compose(v -> new MysqlSchema(link).migrate())
        .compose(v -> link.ask("SELECT @@max_allowed_packet", List.of()))
        .onSuccess(rows -> maxPacketBytes = (Long) rows.get(0)[0])
        .compose(
            v ->
                link.ask(
                    "SELECT segment, `offset` FROM galop_cursor WHERE log = ?", List.of(logId)))
        .map(rows -> rows.stream().map(MysqlStore::position).findFirst())
        .onSuccess(found -> witness.onOpened(found.isPresent()));
  }

  private static LogPosition position(Object[] row) {
    return new LogPosition((Long) row[0], (Long) row[1]);
  }

  @Override
  public Future<Integer> write(StoreBatch parcel) {
    int rows = parcel.records().size();
    if (!MysqlInsert.fits(parcel, maxPacketBytes)) {
      return Future.failedFuture(
          new BadRecordException("larger than the server's max_allowed_packet", null));
    }
    long nowUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return link.write(MysqlInsert.of(rows), MysqlInsert.parameters(parcel.records(), nowUs))
        .onSuccess(done -> witness.onStored(parcel.records().get(rows - 1).record(), nowUs))
        .map(Long::intValue)
        .recover(failure -> again(asBad(failure)));
  }

  private static <T> Future<T> again(Throwable failure) {
    return Future.failedFuture(SqlError.reopening(failure));
  }

  private static Throwable asBad(Throwable failure) {
    return failure instanceof SqlError error && isAboutTheRecord(error)
        ? new BadRecordException(String.valueOf(error.getMessage()), error)
        : failure;
  }

  /** Classes of SQL states: 22 is data, 45 is what a trigger of the table signals. */
  private static boolean isAboutTheRecord(SqlError error) {
    return BAD.contains(error.code())
        || error.state().startsWith("22")
        || error.state().startsWith("45");
  }

  @Override
  public Future<Void> saveCursor(long logId, LogPosition upTo) {
    long nowUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return link.write(
            "INSERT INTO galop_cursor (log, segment, `offset`, moved_us) VALUES (?,?,?,?) ON"
                + " DUPLICATE KEY UPDATE segment = VALUES(segment), `offset` = VALUES(`offset`),"
                + " moved_us = VALUES(moved_us)",
            List.of(logId, upTo.segment(), upTo.offset(), nowUs))
        .recover(MysqlStore::again)
        .mapEmpty();
  }

  @Override
  public Future<Boolean> trim(LongUnaryOperator clock) {
    long nowMs = System.currentTimeMillis();
    return witness
        .isGone(nowMs)
        .compose(gone -> gone ? emptied() : trim.run(clock))
        .recover(MysqlStore::again);
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
