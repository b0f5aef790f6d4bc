package io.galop.persist.ownership;

/** The numbers of epochs: a counter, and below it the tag of the node that began the epoch. */
public final class EpochNumber {
  /** Below them are the bits of the node that began the epoch; see {@code Member.epochTag}. */
  private static final int TAG_BITS = 32;

  private EpochNumber() {}

  /**
   * The number of a new epoch: larger than any that is known, and no other node's. Old ones are
   * milliseconds since 1970, and are grown out of.
   *
   * @param tag of the node that begins it: even, above 0, below 2³²
   */
  public static long next(long newestKnown, long tag) {
    return Math.addExact(Math.multiplyExact((newestKnown >>> TAG_BITS) + 1, 1L << TAG_BITS), tag);
  }
}
