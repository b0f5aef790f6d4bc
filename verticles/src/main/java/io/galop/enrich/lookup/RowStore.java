package io.galop.enrich.lookup;

import io.vertx.core.Future;
import java.util.HashMap;
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

  /**
   * After a failure that one of some keys is to blame for: that one has no row, and the others are
   * asked for without it. Costs some two requests per key at worst.
   */
  default Future<Map<String, String>> selectHalves(List<String> keys) {
    if (keys.size() <= 1) {
      return Future.succeededFuture(Map.of());
    }
    int half = keys.size() / 2;
    return Future.all(select(keys.subList(0, half)), select(keys.subList(half, keys.size())))
        .map(
            both -> {
              Map<String, String> rows = new HashMap<>(both.<Map<String, String>>resultAt(0));
              rows.putAll(both.<Map<String, String>>resultAt(1));
              return rows;
            });
  }

  /** Closes the connections, whatever is under way on them. */
  void close();
}
