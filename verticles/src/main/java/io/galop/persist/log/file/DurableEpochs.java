package io.galop.persist.log.file;

import io.galop.record.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The newest epochs of a shard and how far each became durable. */
public final class DurableEpochs {
  /** A browser that comes back after more starts of the owner is told that it has a gap. */
  public static final int KEPT = 32;

  /** How long the entry of one shard can be. */
  public static final int MAX_ENTRY_BYTES = EntryFormat.epochsBytes(KEPT);

  private final NavigableMap<Long, Long> older = new TreeMap<>();
  private long newest;
  private long newestOffset;

  /** A record of the epoch is durable, or about to be. */
  public void saw(long epoch, long offset) {
    if (epoch == newest) {
      newestOffset = Math.max(newestOffset, offset);
    } else {
      merge(epoch, offset);
    }
  }

  private void merge(long epoch, long offset) {
    if (epoch > newest) {
      if (newest > 0) {
        older.put(newest, newestOffset);
      }
      newest = epoch;
      newestOffset = offset;
    } else {
      older.merge(epoch, offset, Math::max);
    }
    while (older.size() >= KEPT) {
      older.pollFirstEntry();
    }
  }

  /** An epoch begins after a last durable Position. */
  public void begin(long epoch, Position last) {
    if (!last.isNone()) {
      saw(last.epoch(), last.offset());
    }
    saw(epoch, 0);
  }

  /** The last durable offset of an epoch; -1 if the epoch is not known. */
  long lastOffset(long epoch) {
    return epoch == newest ? newestOffset : older.getOrDefault(epoch, -1L);
  }

  public boolean isEmpty() {
    return newest == 0;
  }

  public List<EpochEnd> oldestFirst() {
    List<EpochEnd> ends = new ArrayList<>();
    for (Map.Entry<Long, Long> end : older.entrySet()) {
      ends.add(new EpochEnd(end.getKey(), end.getValue()));
    }
    if (!isEmpty()) {
      ends.add(new EpochEnd(newest, newestOffset));
    }
    return ends;
  }
}
