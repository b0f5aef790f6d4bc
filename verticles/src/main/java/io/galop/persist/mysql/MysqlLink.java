package io.galop.persist.mysql;

import io.vertx.core.Future;
import java.util.List;

/**
 * The way to the database. Nothing here blocks but {@link #close}; a failure that the database
 * itself tells is a {@link MysqlError}.
 */
interface MysqlLink extends AutoCloseable {
  /** How a session is set, whatever the server's own settings are: nothing is cut to fit. */
  List<String> SESSION =
      List.of(
          "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
          "SET SESSION time_zone = '+00:00'",
          "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");

  /** Closes the connections that write, so that nothing is left on its way. */
  Future<Void> reset();

  /**
   * Changes something, in a transaction of its own, durable when it completes.
   *
   * @param parameters Strings, Longs and byte arrays in the order of the question marks
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
