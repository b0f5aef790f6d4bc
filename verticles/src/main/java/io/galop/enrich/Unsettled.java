package io.galop.enrich;

import io.galop.record.Record;
import io.galop.record.RecordCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Enriched records that could not be stored, by raw id: when the raw record is sent again these are
 * handed on, and no window sees it twice. Bounded in bytes; beyond, the oldest is given up.
 */
final class Unsettled {
  private final long maxBytes;
  private final Consumer<String> givenUp;
  private final Map<String, List<Record>> byRawId = new LinkedHashMap<>();
  private long bytes;

  Unsettled(long maxBytes, Consumer<String> givenUp) {
    this.maxBytes = maxBytes;
    this.givenUp = givenUp;
  }

  long bytes() {
    return bytes;
  }

  void keep(List<Record> enriched) {
    for (Record record : enriched) {
      byRawId.computeIfAbsent(SeenIds.rawId(record.id()), id -> new ArrayList<>(1)).add(record);
      bytes += RecordCodec.approximateBytes(record);
    }
    while (bytes > maxBytes) {
      String oldest = byRawId.keySet().iterator().next();
      take(oldest);
      givenUp.accept(oldest);
    }
  }

  /** Hands out the records of a raw id and no longer keeps them. */
  Optional<List<Record>> take(String rawId) {
    List<Record> records = byRawId.isEmpty() ? null : byRawId.remove(rawId);
    if (records == null) {
      return Optional.empty();
    }
    records.forEach(record -> bytes -= RecordCodec.approximateBytes(record));
    return Optional.of(records);
  }
}
