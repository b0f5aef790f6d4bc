package io.galop.record;

import java.util.Arrays;

/**
 * Numbers the ids of topics in the order in which they come: 0, 1, 2, … Used by one thread.
 *
 * <p>Like {@link RecentIds} it keeps hashes only, 28 to 40 bytes an id; it forgets nothing, so its
 * user bounds what it is given.
 */
public final class IdTable {
  private static final int FIRST_CAPACITY = 64;

  private final IdHash hash = new IdHash();
  private long[] high = new long[FIRST_CAPACITY];
  private long[] low = new long[FIRST_CAPACITY];

  /** Open addressing with linear probing, at most half full: number + 1, 0 is free. */
  private int[] table = new int[2 * FIRST_CAPACITY];

  private int size;

  /** How many ids have a number: the next new one gets this. */
  public int size() {
    return size;
  }

  /** The number of an id of a topic; a new one if it has none. */
  public int number(Record record) {
    hash.of(record.topic(), record.id());
    int at = (int) hash.low() & (table.length - 1);
    while (table[at] != 0) {
      int number = table[at] - 1;
      if (low[number] == hash.low() && high[number] == hash.high()) {
        return number;
      }
      at = (at + 1) & (table.length - 1);
    }
    high[size] = hash.high();
    low[size] = hash.low();
    table[at] = ++size;
    if (size == high.length) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    high = Arrays.copyOf(high, 2 * size);
    low = Arrays.copyOf(low, 2 * size);
    table = new int[4 * size];
    for (int number = 0; number < size; number++) {
      int at = (int) low[number] & (table.length - 1);
      while (table[at] != 0) {
        at = (at + 1) & (table.length - 1);
      }
      table[at] = number + 1;
    }
  }
}
