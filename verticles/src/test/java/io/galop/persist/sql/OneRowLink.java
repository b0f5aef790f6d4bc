package io.galop.persist.sql;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** A database with one row, whose clock the test sets. */
public final class OneRowLink implements SqlLink {
  /** When the row was stored, in milliseconds. */
  public long storedMs;

  /** What the database's clock says. */
  public long serverMs = System.currentTimeMillis();

  /** Before when rows are deleted, in microseconds: of each deletion. */
  public final List<Object> deletedBefore = new ArrayList<>();

  public OneRowLink(long storedMs) {
    this.storedMs = storedMs;
  }

  @Override
  public Future<Void> reset() {
    return Future.succeededFuture();
  }

  @Override
  public Future<Long> write(String sql, List<Object> parameters) {
    deletedBefore.add(parameters.get(1));
    return Future.succeededFuture(0L);
  }

  @Override
  public Future<List<Object[]>> ask(String sql, List<Object> parameters) {
    Object[] row = {storedMs * 1_000, 1L, serverMs};
    return Future.succeededFuture(List.<Object[]>of(row));
  }

  @Override
  public Future<List<Object[]>> read(String sql, List<Object> parameters) {
    return ask(sql, parameters);
  }

  @Override
  public void close() {}
}
