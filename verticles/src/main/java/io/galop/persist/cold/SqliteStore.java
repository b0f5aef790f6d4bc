package io.galop.persist.cold;

import io.galop.config.ColdConfig;
import io.galop.persist.log.LogPosition;
import io.galop.persist.sink.BlockingStore;
import io.galop.persist.sink.Parcel;
import io.galop.record.Placed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded store: one SQLite file with a table {@code records}, which other tools may read
 * while Galop writes.
 */
public final class SqliteStore implements BlockingStore {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);
  private final SqliteWriter writer;
  private final SqliteReaders readers;

  private SqliteStore(SqliteWriter writer, SqliteReaders readers) {
    this.writer = writer;
    this.readers = readers;
  }

  /** Opens or creates the store. Blocking. */
  public static SqliteStore open(Path path, ColdConfig config) throws ColdException {
    return open(path, config, System::currentTimeMillis);
  }

  static SqliteStore open(Path path, ColdConfig config, LongSupplier nowMs) throws ColdException {
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      SqliteFile file = new SqliteFile(path);
      SqliteWriter writer = new SqliteWriter(file.writer(), config, nowMs);
      return new SqliteStore(writer, new SqliteReaders(file, config));
    } catch (IOException | SQLException e) {
      throw new ColdException("the cold store " + path + " cannot be opened", e);
    }
  }

  @Override
  public synchronized Optional<LogPosition> open(long log) throws SQLException {
    return writer.cursor(log);
  }

  @Override
  public int write(Parcel parcel) throws SQLException {
    return store(parcel.records(), parcel.log(), parcel.cursor());
  }

  @Override
  public boolean keepsCursor() {
    return true;
  }

  @Override
  public void saveCursor(long log, LogPosition upTo) throws SQLException {
    store(List.of(), log, Optional.of(upTo));
  }

  /**
   * Stores records once each, by their id (of two with the same the first stays), and the cursor
   * with them: both or neither.
   *
   * @return how many were not there yet
   */
  public synchronized int store(List<Placed> records, long log, Optional<LogPosition> upTo)
      throws SQLException {
    return writer.store(records, log, upTo);
  }

  @Override
  public synchronized boolean trim() throws SQLException {
    return writer.trim();
  }

  @Override
  public ColdPage query(ColdQuery query) throws SQLException, InterruptedException {
    return readers.query(query);
  }

  @Override
  public void close() {
    try {
      readers.close();
      writer.close();
    } catch (SQLException e) {
      LOG.warn("the cold store could not be closed: {}", e.getMessage());
    }
  }
}
