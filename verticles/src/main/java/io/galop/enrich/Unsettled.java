package io.galop.enrich;

import io.galop.record.Record;
import io.galop.record.RecordCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Enriched records that could not be stored, by the raw one: when that is sent again these are
 * handed on, and no window sees it twice. Bounded in bytes; beyond, the oldest is given up.
 */
final class Unsettled {
  private final long maxBytes;
  private final Consumer<Record> givenUp;
  private final Map<RawId, Kept> byRawId = new LinkedHashMap<>();
  private long bytes;

  /** What became of a raw record, of which only topic and id are kept. */
  private record Kept(Record raw, List<Record> enriched) {}

  /**
   * @param givenUp gets the raw record without its data
   */
  Unsettled(long maxBytes, Consumer<Record> givenUp) {
    this.maxBytes = maxBytes;
    this.givenUp = givenUp;
  }

  long bytes() {
    return bytes;
  }

  /** Keeps what became of some of the raw records. */
  void keep(List<Record> raw, List<Record> enriched) {
    if (enriched.isEmpty()) {
      return;
    }
    Map<RawId, Record> raws = new HashMap<>();
    raw.forEach(record -> raws.put(RawId.of(record), record));
    for (Record record : enriched) {
      RawId id = RawId.of(record);
      byRawId.computeIfAbsent(id, none -> kept(raws.get(id))).enriched().add(record);
      bytes += RecordCodec.approximateBytes(record);
    }
    while (bytes > maxBytes) {
      RawId oldest = byRawId.keySet().iterator().next();
      Record of = byRawId.get(oldest).raw();
      take(oldest);
      givenUp.accept(of);
    }
  }

  private static Kept kept(Record raw) {
    Record name = new Record(raw.id(), raw.topic(), raw.timeUs(), new byte[0]);
    return new Kept(name, new ArrayList<>(1));
  }

  /** Hands out what became of a raw record and no longer keeps it. */
  Optional<List<Record>> take(Record raw) {
    return byRawId.isEmpty() ? Optional.empty() : take(RawId.of(raw));
  }

  private Optional<List<Record>> take(RawId id) {
    Kept kept = byRawId.remove(id);
    if (kept == null) {
      return Optional.empty();
    }
    kept.enriched().forEach(record -> bytes -= RecordCodec.approximateBytes(record));
    return Optional.of(kept.enriched());
  }
}
