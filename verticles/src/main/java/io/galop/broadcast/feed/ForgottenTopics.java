package io.galop.broadcast.feed;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Topics that were silent and are watched no more: their viewers have been told that they are
 * silent, and have to hear that they are back. A Bloom filter of one hash (Bloom 1970): of fixed
 * size however many topics come and go, it knows all that it was given, and takes a few others for
 * them, whose viewers then hear of a return that they need not.
 */
final class ForgottenTopics {
  private static final int BITS_PER_TOPIC = 16;
  private static final int FEWEST_BITS = 1 << 10;
  private static final int MOST_BITS = 1 << 24;

  private final int mask;
  private @Nullable BitSet bits;

  /**
   * @param topics for how many it is made; with more it is wrong more often
   */
  ForgottenTopics(int topics) {
    long wanted = Math.max(FEWEST_BITS, Math.min(MOST_BITS, (long) topics * BITS_PER_TOPIC));
    this.mask = (int) (Long.highestOneBit(wanted) - 1);
  }

  void add(String topic) {
    if (bits == null) {
      bits = new BitSet(mask + 1);
    }
    bits.set(place(topic));
  }

  boolean mayHave(String topic) {
    return bits != null && bits.get(place(topic));
  }

  private int place(String topic) {
    int hash = topic.hashCode() * 0x9e3779b9;
    return (hash ^ (hash >>> 15)) & mask;
  }
}
