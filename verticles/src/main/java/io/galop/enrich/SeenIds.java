package io.galop.enrich;

import io.galop.enrich.step.EnrichMeters;
import io.galop.record.RecentIds;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a shard knows of raw records by topic and id, so that each is enriched once and acknowledged
 * only when what became of it is stored. One that is remembered is in one of three states: some
 * Work takes care of it (a second copy waits for that), it was enriched and could not be stored
 * (its enriched records are handed on once more), or it is done.
 */
final class SeenIds {
  private final RecentIds recent;
  private final Unsettled unsettled;
  private final UnderWay underWay = new UnderWay();
  private final EnrichMeters meters;

  SeenIds(int rememberedIds, int maxUnsettledBytes, EnrichMeters meters) {
    this.recent = new RecentIds(rememberedIds);
    this.meters = meters;
    this.unsettled = new Unsettled(maxUnsettledBytes, this::giveUp);
  }

  private void giveUp(Record raw) {
    recent.forget(raw);
    meters.unsettledGivenUp.increment();
  }

  long unsettledBytes() {
    return unsettled.bytes();
  }

  /** Sorts the records of a Batch by what is to be done with them. */
  void begin(Work work) {
    for (Record record : work.raw()) {
      Optional<List<Record>> enriched = unsettled.take(record);
      boolean isNew = recent.add(record);
      if (enriched.isPresent()) {
        work.again.addAll(enriched.get());
        meters.duplicates.increment();
      } else if (isNew) {
        work.fresh.add(record);
      } else {
        meters.duplicates.increment();
        underWay.takingCareOf(record).ifPresent(first -> work.firstCopies.add(first.settled()));
      }
    }
    underWay.add(work);
  }

  /** Everything that became of the Work's records is stored. */
  void onStored(Work work) {
    underWay.remove(work);
  }

  /** Some of what became of the Work's records may not be stored: to be handed on once more. */
  void onNotStored(Work work, List<Record> enriched) {
    underWay.remove(work);
    unsettled.keep(work.raw(), enriched);
  }

  /** The chain broke: the records count as never seen. */
  void onNotEnriched(Work work) {
    underWay.remove(work);
    work.fresh.forEach(recent::forget);
    unsettled.keep(work.raw(), work.again);
  }

  /**
   * The Work that is neither stored nor failed. Second copies are rare, so the index of ids is made
   * when the first one comes and given up when nothing is under way any more.
   */
  private static final class UnderWay {
    private final Set<Work> works = new LinkedHashSet<>();
    private final Map<RawId, Work> byRawId = new HashMap<>();
    private boolean indexed;

    void add(Work work) {
      works.add(work);
      if (indexed) {
        index(work);
      }
    }

    void remove(Work work) {
      works.remove(work);
      if (works.isEmpty()) {
        byRawId.clear();
        indexed = false;
      } else if (indexed) {
        work.fresh.forEach(record -> byRawId.remove(RawId.of(record), work));
        work.again.forEach(record -> byRawId.remove(RawId.of(record), work));
      }
    }

    /** The Work that a raw record is part of. */
    Optional<Work> takingCareOf(Record raw) {
      if (!indexed) {
        works.forEach(this::index);
        indexed = true;
      }
      return Optional.ofNullable(byRawId.get(RawId.of(raw)));
    }

    private void index(Work work) {
      for (Record record : work.fresh) {
        byRawId.put(RawId.of(record), work);
      }
      for (Record record : work.again) {
        byRawId.put(RawId.of(record), work);
      }
    }
  }

  /**
   * Enriched records that could not be stored, by the raw one: when that is sent again these are
   * handed on, and no window sees it twice. Bounded in bytes; beyond, the oldest is given up.
   */
  private static final class Unsettled {
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
        byRawId.computeIfAbsent(id, none -> kept(id, raws)).enriched().add(record);
        bytes += RecordCodec.approximateBytes(record);
      }
      while (bytes > maxBytes) {
        Map.Entry<RawId, Kept> oldest = byRawId.entrySet().iterator().next();
        Record of = oldest.getValue().raw();
        take(oldest.getKey());
        givenUp.accept(of);
      }
    }

    private static Kept kept(RawId id, Map<RawId, Record> raws) {
      Record raw = Objects.requireNonNull(raws.get(id), "what is enriched is of one of these");
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
}
