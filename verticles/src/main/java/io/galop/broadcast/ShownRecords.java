package io.galop.broadcast;

import io.galop.record.Position;
import io.galop.record.RecentIds;
import io.galop.record.Record;
import java.util.TreeMap;

/**
 * The records of a shard that the node has shown last, to recognise a later attempt to publish one
 * of them. A publisher whose record was shown, but not acknowledged before its owner died, sends it
 * again; the next owner places it as a new record. On the feed loop.
 */
final class ShownRecords {
  /** More than is ever under way to an owner; 24 to 32 bytes each. */
  static final int MAX_RECORDS = 8_192;

  static final long NEVER = -1;

  private final RecentIds ids = new RecentIds(MAX_RECORDS);

  /** How many records had been shown when the first one of an epoch was → the epoch. */
  private final TreeMap<Long, Long> epochs = new TreeMap<>();

  /**
   * The record at the next Position is to be shown.
   *
   * @return the epoch in which it was shown before; {@link #NEVER} if it was not
   */
  long add(Position position, Record record) {
    if (ids.add(record)) {
      note(position.epoch());
      return NEVER;
    }
    return epochs.floorEntry(ids.addedBefore(record.topic(), record.id())).getValue();
  }

  private void note(long epoch) {
    if (epochs.isEmpty() || epochs.lastEntry().getValue() != epoch) {
      epochs.put(ids.added() - 1, epoch);
      Long oldest = epochs.floorKey(Math.max(0, ids.added() - MAX_RECORDS));
      epochs.headMap(oldest).clear();
    }
  }
}
