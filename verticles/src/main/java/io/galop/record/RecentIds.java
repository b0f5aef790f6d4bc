package io.galop.record;

/**
 * The last so many ids, to recognise a record that is sent again. An id belongs to its topic: the
 * same one on two topics is two ids. Used by one thread.
 *
 * <p>Topic and id are kept as a 128-bit hash with a key of this process ({@link IdHash}): two are
 * taken for one with a chance of 2^-128 a pair, so a duplicate is never a false one, and 24 to 32
 * bytes an id suffice whatever their length. Memory grows with the ids seen, up to the capacity.
 */
public final class RecentIds {
  private static final int FIRST_CAPACITY = 64;

  private final int capacity;
  private final IdHash hash = new IdHash();

  /** The hashes by arrival: a ring once it is full. Both zero: forgotten. */
  private long[] high;

  private long[] low;

  /**
   * Open addressing with linear probing, at most half full: slot in the ring + 1, 0 is free. The
   * bits above {@link #slotMask} are of the hash: almost every other id is told apart by them, and
   * its hash, which is in no cache where ids are many, is not looked at.
   */
  private int[] table;

  /** The bits of a place that hold the slot; not zero. */
  private int slotMask;

  private int next;
  private int size;
  private long added;

  /**
   * Remembers nothing yet.
   *
   * @param capacity how many ids are remembered, at most 2^28
   */
  public RecentIds(int capacity) {
    if (capacity < 1 || capacity > 1 << 28) {
      throw new IllegalArgumentException("capacity must be from 1 to 2^28, not " + capacity);
    }
    this.capacity = capacity;
    allocate(Math.min(capacity, FIRST_CAPACITY));
  }

  /** How many ids are remembered now. */
  public int size() {
    return size;
  }

  /** Whether the id is remembered. */
  public boolean contains(String topic, String id) {
    hash.of(topic, id);
    return table[find()] != 0;
  }

  /**
   * Remembers an id; where as many are remembered as may be, the oldest is forgotten for it.
   *
   * @return false if it was remembered already, which does not make it younger
   */
  public boolean add(String topic, String id) {
    hash.of(topic, id);
    int at = find();
    if (table[at] != 0) {
      return false;
    }
    if (next == high.length) {
      makeRoom();
    }
    if ((high[next] | low[next]) != 0) {
      free(place(next));
    }
    high[next] = hash.high();
    low[next] = hash.low();
    table[find()] = entry(next, hash.high());
    next++;
    size++;
    added++;
    return true;
  }

  /**
   * Forgets an id before its time.
   *
   * @return false if it was not remembered
   */
  public boolean forget(String topic, String id) {
    hash.of(topic, id);
    int at = find();
    if (table[at] == 0) {
      return false;
    }
    int slot = slot(table[at]);
    free(at);
    high[slot] = 0;
    low[slot] = 0;
    return true;
  }

  /** How many ids were ever added. */
  public long added() {
    return added;
  }

  /** How many ids had been added before this one was; -1 if it is not remembered. */
  public long addedBefore(String topic, String id) {
    hash.of(topic, id);
    int slot = slot(table[find()]);
    return slot < 0 ? -1 : added - 1 - Math.floorMod(next - 1 - slot, high.length);
  }

  /** {@link #add(String, String)} of a record's. */
  public boolean add(Record record) {
    return add(record.topic(), record.id());
  }

  /** {@link #forget(String, String)} of a record's. */
  public boolean forget(Record record) {
    return forget(record.topic(), record.id());
  }

  private void makeRoom() {
    if (high.length == capacity) {
      next = 0;
      return;
    }
    long[] oldHigh = high;
    long[] oldLow = low;
    allocate((int) Math.min(capacity, 2L * oldHigh.length));
    System.arraycopy(oldHigh, 0, high, 0, oldHigh.length);
    System.arraycopy(oldLow, 0, low, 0, oldLow.length);
    for (int slot = 0; slot < oldHigh.length; slot++) {
      if ((high[slot] | low[slot]) != 0) {
        table[freeFrom(home(slot))] = entry(slot, high[slot]);
      }
    }
  }

  private void allocate(int slots) {
    high = new long[slots];
    low = new long[slots];
    table = new int[Integer.highestOneBit(2 * slots - 1) * 2];
    slotMask = -1 >>> Integer.numberOfLeadingZeros(slots);
  }

  private int entry(int slot, long high) {
    return (int) high & ~slotMask | slot + 1;
  }

  /** The slot of a place's entry; -1 if it is free. */
  private int slot(int entry) {
    return (entry & slotMask) - 1;
  }

  private int home(int slot) {
    return (int) low[slot] & (table.length - 1);
  }

  /** Where the hashed id stands in the table, else the free place where it would. */
  private int find() {
    int at = (int) hash.low() & (table.length - 1);
    while (table[at] != 0 && !holdsHash(table[at])) {
      at = (at + 1) & (table.length - 1);
    }
    return at;
  }

  private boolean holdsHash(int entry) {
    if (((entry ^ (int) hash.high()) & ~slotMask) != 0) {
      return false;
    }
    int slot = slot(entry);
    return low[slot] == hash.low() && high[slot] == hash.high();
  }

  private int place(int slot) {
    int at = home(slot);
    while (slot(table[at]) != slot) {
      at = (at + 1) & (table.length - 1);
    }
    return at;
  }

  private int freeFrom(int at) {
    while (table[at] != 0) {
      at = (at + 1) & (table.length - 1);
    }
    return at;
  }

  /** Frees a place and moves back what had to give way to it, so that no tombstones gather. */
  private void free(int at) {
    int mask = table.length - 1;
    int hole = at;
    for (int i = (at + 1) & mask; table[i] != 0; i = (i + 1) & mask) {
      int distance = (i - home(slot(table[i]))) & mask;
      if (distance >= ((i - hole) & mask)) {
        table[hole] = table[i];
        hole = i;
      }
    }
    table[hole] = 0;
    size--;
  }
}
