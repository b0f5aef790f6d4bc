package io.galop.persist.inspect;

import java.util.Comparator;

/** One epoch of a shard. */
record Epoch(int shard, long number) implements Comparable<Epoch> {
  private static final Comparator<Epoch> ORDER =
      Comparator.comparingInt(Epoch::shard).thenComparingLong(Epoch::number);

  @Override
  public int compareTo(Epoch other) {
    return ORDER.compare(this, other);
  }
}
