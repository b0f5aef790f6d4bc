package io.galop.enrich.lookup;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** A table in a store. Nothing here blocks. */
interface RowStore {

  /** Succeeds if the table can be read. */
  Future<Void> check();

  /**
   * Reads rows in one request.
   *
   * @param keys each once
   * @return completes on the caller's Vert.x context. By key a JSON object, without the key itself;
   *     a key that is not there has no row
   */
  Future<Map<String, String>> select(List<String> keys);

  /** Closes the connections, whatever is under way on them. */
  void close();
}
