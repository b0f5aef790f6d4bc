package io.galop.persist.sql;

import io.vertx.core.Future;
import java.util.List;

/**
 * The way to a database. Nothing here blocks but {@link #close}; a failure that the database itself
 * tells is a {@link SqlError}. Parameters stand for question marks in the statement, in their
 * order: Strings, Longs and byte arrays, and for databases that know arrays {@code String[]},
 * {@code Long[]} and {@code byte[][]}.
 */
public interface SqlLink extends AutoCloseable {

  /** Closes the connections that write, so that nothing is left on its way. */
  Future<Void> reset();

  /**
   * Changes something, in a transaction of its own, durable when it completes.
   *
   * @return how many rows are new or other than they were
   */
  Future<Long> write(String sql, List<Object> parameters);

  /**
   * Asks, on the connections that write.
   *
   * @return rows of Strings, Longs and byte arrays; a column may be null
   */
  Future<List<Object[]>> ask(String sql, List<Object> parameters);

  /** Asks, on other connections, which large answers may keep busy. */
  Future<List<Object[]>> read(String sql, List<Object> parameters);

  @Override
  void close();
}
