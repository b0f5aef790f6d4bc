package io.galop.persist.cold;

import io.galop.config.ColdConfig;
import io.galop.persist.log.LogPosition;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded store: one SQLite file with a table {@code records}, which other tools may read
 * while Galop writes.
 */
public final class SqliteStore implements ColdStore {
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
  public LogPosition cursor(long log) throws ColdException {
    try {
      return writer.cursor(log);
    } catch (SQLException e) {
      throw new ColdException("the cold store cannot be read", e);
    }
  }

  @Override
  public int store(List<Placed> records, long log, LogPosition next) throws ColdException {
    try {
      return writer.store(records, log, next);
    } catch (SQLException e) {
      throw new ColdException("the cold store cannot be written", e);
    }
  }

  @Override
  public boolean trim() throws ColdException {
    try {
      return writer.trim();
    } catch (SQLException e) {
      throw new ColdException("old records cannot be deleted from the cold store", e);
    }
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    return readers.query(query);
  }

  @Override
  public void close() {
    readers.close();
    try {
      writer.close();
    } catch (SQLException e) {
      LOG.warn("the cold store could not be closed: {}", e.getMessage());
    }
  }
}
