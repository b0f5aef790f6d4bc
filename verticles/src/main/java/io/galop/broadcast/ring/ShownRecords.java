package io.galop.broadcast.ring;

import io.galop.record.DataHash;
import io.galop.record.Position;
import io.galop.record.RecentIds;
import io.galop.record.Record;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The records of a shard that the node has shown last, to recognise a later attempt to publish one
 * of them. A publisher whose record was shown, but not acknowledged before its owner died, sends it
 * again; the next owner places it as a new record. On the feed loop.
 *
 * <p>A later attempt may have other data: a script has lost its state with the node, or a look-up
 * finds another row. Then the first attempt was not what is kept, and the later one is news. So is
 * on its topic all that was shown between the two, or screens would end with the older value.
 */
public final class ShownRecords {
  /** More than is ever under way to an owner; 32 to 40 bytes each. A power of two. */
  static final int MAX_RECORDS = 8_192;

  public static final long NEVER = -1;

  private static final int FIRST_RECORDS = 64;

  private final RecentIds ids = new RecentIds(MAX_RECORDS);

  /** The hash of each record's data, by how many records had been shown before it. */
  private long[] data = new long[FIRST_RECORDS];

  /** How many records had been shown when the first one of an epoch was → the epoch. */
  private final TreeMap<Long, Long> epochs = new TreeMap<>();

  /**
   * Topic → how many records had been shown when it was last given other data. The oldest goes
   * first: as many records were shown since as are remembered, so none from before it is known.
   */
  private final Map<String, Long> changed = new LinkedHashMap<>();

  /**
   * The record at the next Position is to be shown.
   *
   * @return the epoch in which it was shown before; {@link #NEVER} if it was not, or has to be
   *     shown again
   */
  public long add(Position position, Record record) {
    long hash = DataHash.of(record.data());
    if (ids.add(record)) {
      note(position.epoch(), hash);
      return NEVER;
    }
    long before = ids.addedBefore(record.topic(), record.id());
    boolean isSame = data[slot(before)] == hash;
    if (isSame && before >= changed.getOrDefault(record.topic(), NEVER)) {
      return epochs.floorEntry(before).getValue();
    }
    ids.forget(record);
    ids.add(record);
    note(position.epoch(), hash);
    if (!isSame) {
      change(record.topic());
    }
    return NEVER;
  }

  private void note(long epoch, long hash) {
    long number = ids.added() - 1;
    if (number < MAX_RECORDS && number >= data.length) {
      data = Arrays.copyOf(data, 2 * data.length);
    }
    data[slot(number)] = hash;
    if (epochs.isEmpty() || epochs.lastEntry().getValue() != epoch) {
      epochs.put(number, epoch);
      Long oldest = epochs.floorKey(Math.max(0, ids.added() - MAX_RECORDS));
      epochs.headMap(oldest).clear();
    }
  }

  private static int slot(long number) {
    return (int) (number % MAX_RECORDS);
  }

  private void change(String topic) {
    changed.remove(topic);
    changed.put(topic, ids.added() - 1);
    if (changed.size() > MAX_RECORDS) {
      changed.remove(changed.keySet().iterator().next());
    }
  }
}
