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

  private final NavigableMap<Long, Long> ends = new TreeMap<>();

  /**
   * The epoch that was seen last, one of {@code ends}, and its end, which is newer than theirs: it
   * is seen with each record, and marks of larger numbers may stand behind it. 0 before the first,
   * and when it was too old to be kept.
   */
  private long used;

  private long usedOffset;

  /** A record of the epoch is durable, or about to be. */
  public void saw(long epoch, long offset) {
    if (epoch == used) {
      usedOffset = Math.max(usedOffset, offset);
    } else {
      use(epoch, offset);
    }
  }

  private void use(long epoch, long offset) {
    if (used != 0) {
      ends.put(used, usedOffset);
    }
    long end = ends.merge(epoch, offset, Math::max);
    if (ends.size() > KEPT) {
      ends.pollFirstEntry();
    }
    used = ends.containsKey(epoch) ? epoch : 0;
    usedOffset = end;
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
    return epoch == used ? usedOffset : ends.getOrDefault(epoch, -1L);
  }

  public boolean isEmpty() {
    return ends.isEmpty();
  }

  public List<EpochEnd> oldestFirst() {
    List<EpochEnd> all = new ArrayList<>();
    for (Map.Entry<Long, Long> end : ends.entrySet()) {
      all.add(new EpochEnd(end.getKey(), lastOffset(end.getKey())));
    }
    return all;
  }
}
