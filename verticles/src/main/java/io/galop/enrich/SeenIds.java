package io.galop.enrich;

import io.galop.enrich.step.EnrichMeters;
import io.galop.record.RecentIds;
import io.galop.record.Record;
import java.util.List;
import java.util.Optional;

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
}
