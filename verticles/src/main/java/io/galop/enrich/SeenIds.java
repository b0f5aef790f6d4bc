package io.galop.enrich;

import io.galop.record.RecentIds;
import io.galop.record.Record;
import java.util.List;
import java.util.Optional;

/**
 * What a shard knows of raw ids, so that each is enriched once and acknowledged only when what
 * became of it is stored. An id that is remembered is in one of three states: some Work takes care
 * of it (a second copy waits for that), it was enriched and could not be stored (its enriched
 * records are handed on once more), or it is done.
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

  private void giveUp(String rawId) {
    recent.forget(rawId);
    meters.unsettledGivenUp.increment();
  }

  /** The raw id that a record was derived from; raw ids hold no '#'. */
  static String rawId(String id) {
    int hash = id.indexOf('#');
    return hash < 0 ? id : id.substring(0, hash);
  }

  long unsettledBytes() {
    return unsettled.bytes();
  }

  /** Sorts the records of a Batch by what is to be done with them. */
  void begin(Work work) {
    for (Record record : work.raw()) {
      Optional<List<Record>> enriched = unsettled.take(record.id());
      boolean isNew = recent.add(record.id());
      if (enriched.isPresent()) {
        work.again.addAll(enriched.get());
        meters.duplicates.increment();
      } else if (isNew) {
        work.fresh.add(record);
      } else {
        meters.duplicates.increment();
        underWay
            .takingCareOf(record.id())
            .ifPresent(first -> work.firstCopies.add(first.settled()));
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
    unsettled.keep(enriched);
  }

  /** The chain broke: the records count as never seen. */
  void onNotEnriched(Work work) {
    underWay.remove(work);
    work.fresh.forEach(record -> recent.forget(record.id()));
    unsettled.keep(work.again);
  }
}
