package io.galop.enrich.lookup;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows used last, bounded in number and bytes; belongs to one event loop. */
final class RowCache {
  /** About what an entry takes beside its row and the two bytes of each character of its key. */
  private static final int ENTRY_BYTES = 144;

  private final int maxRows;
  private final long maxBytes;
  private final Map<String, Row> rows = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  RowCache(int maxRows, long maxBytes) {
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
  }

  /** The row, null where there is none. */
  @Nullable Row get(String key) {
    return rows.get(key);
  }

  void put(String key, Row row) {
    Row before = rows.put(key, row);
    bytes += before == null ? bytes(key, row) : row.bytes() - before.bytes();
    Iterator<Map.Entry<String, Row>> eldest = rows.entrySet().iterator();
    while (rows.size() > maxRows || bytes > maxBytes) {
      Map.Entry<String, Row> goes = eldest.next();
      bytes -= bytes(goes.getKey(), goes.getValue());
      eldest.remove();
    }
  }

  private static long bytes(String key, Row row) {
    return ENTRY_BYTES + 2L * key.length() + row.bytes();
  }

  int size() {
    return rows.size();
  }
}
