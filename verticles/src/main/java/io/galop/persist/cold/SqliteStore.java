package io.galop.persist.cold;

import io.galop.config.persist.ColdConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BlockingStore;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.EmptiedException;
import io.galop.persist.store.StoreBatch;
import io.galop.persist.store.ThreadConnections;
import io.galop.record.Placed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded store: one SQLite file with a table {@code records}, which other tools may read
 * while Galop writes. A connection that anything failed on is closed and another one made: SQLite
 * ends a transaction by itself when the disk is full, and the driver then neither rolls back nor
 * begins another. So is every connection when the file is not in its place any more.
 */
public final class SqliteStore implements BlockingStore {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);
  private final SqliteFile file;
  private final ThreadConnections<SqliteWriter> writers;
  private final ThreadConnections<Connection> readers;

  /** Which file the connections have open; null before there is one. */
  private @Nullable Object opened;

  private volatile Optional<String> warning = Optional.empty();

  private SqliteStore(SqliteFile file, ColdConfig config, LongSupplier nowMs) {
    this.file = file;
    this.writers =
        new ThreadConnections<>(
            () -> new SqliteWriter(connect(), config, nowMs), SqliteWriter::close);
    this.readers = new ThreadConnections<>(file::reader, Connection::close);
  }

  /** Opens or creates the store. Blocking. */
  public static SqliteStore open(Path path, ColdConfig config) throws ColdException {
    return open(path, config, System::currentTimeMillis);
  }

  static SqliteStore open(Path path, ColdConfig config, LongSupplier nowMs) throws ColdException {
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      SqliteStore store = new SqliteStore(new SqliteFile(path), config, nowMs);
      store.onWriter(opened -> opened);
      return store;
    } catch (Exception e) {
      throw new ColdException("the cold store " + path + " cannot be opened", e);
    }
  }

  /** On the writer's thread. */
  private Connection connect() throws SQLException {
    Connection connection = file.writer();
    Object found = file.identity();
    if (opened != null && !opened.equals(found)) {
      readers.reset();
    }
    opened = found;
    return connection;
  }

  private synchronized <T> T onWriter(ThreadConnections.Work<SqliteWriter, T> work)
      throws Exception {
    return writers.with(work);
  }

  /** What the file held is gone with it, the cursor too, so the session has to begin again. */
  private void checkInPlace() throws EmptiedException {
    if (leaveLostFile()) {
      throw new EmptiedException("the file " + file.path() + " was deleted or replaced");
    }
  }

  private synchronized boolean leaveLostFile() {
    if (opened == null || opened.equals(file.identity())) {
      return false;
    }
    opened = null;
    writers.reset();
    readers.reset();
    LOG.error(
        "the file {} was deleted or replaced while the node has it open; the store continues"
            + " with the file that is there, and gets again what the Log has: restore the rest from"
            + " a copy",
        file.path());
    return true;
  }

  @Override
  public Optional<LogPosition> open(long log) throws Exception {
    leaveLostFile();
    return onWriter(writer -> writer.cursor(log));
  }

  @Override
  public int write(StoreBatch parcel) throws Exception {
    return store(parcel.records(), parcel.log(), parcel.cursor());
  }

  @Override
  public boolean keepsCursor() {
    return true;
  }

  @Override
  public void saveCursor(long log, LogPosition upTo) throws Exception {
    store(List.of(), log, Optional.of(upTo));
  }

  /**
   * Stores records once each, by their topic and id (of two with the same the first stays), and the
   * cursor with them: both or neither.
   *
   * @return how many were not there yet
   */
  public int store(List<Placed> records, long log, Optional<LogPosition> upTo) throws Exception {
    checkInPlace();
    return onWriter(writer -> writer.store(records, log, upTo));
  }

  @Override
  public boolean trim(LongUnaryOperator clock) throws Exception {
    checkInPlace();
    return onWriter(
        writer -> {
          boolean isMore = writer.trim(clock);
          warning = writer.warning();
          return isMore;
        });
  }

  @Override
  public Optional<String> warning() {
    return warning;
  }

  @Override
  public ColdPage query(ColdQuery query) throws Exception {
    return readers.with(connection -> new ColdSelect(connection, query).run());
  }

  @Override
  public void close() {
    readers.reset();
    writers.reset();
  }
}
