package io.galop.persist.cold;

import io.galop.config.ColdConfig;
import io.galop.persist.log.LogPosition;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;

/** The embedded store: one SQLite file. */
public final class SqliteStore implements ColdStore {
  private SqliteStore() {}

  /** Opens or creates the store. Blocking. */
  public static SqliteStore open(Path file, ColdConfig config) throws ColdException {
    throw new UnsupportedOperationException();
  }

  @Override
  public LogPosition cursor() throws ColdException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void store(List<Placed> records, LogPosition next) throws ColdException {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean trim() throws ColdException {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
