package io.galop.loadtest.latency;

import java.util.BitSet;
import java.util.List;

/**
 * Where messages are missing, which tells apart what was lost on the way, before all were told what
 * counts, and at the end.
 *
 * @param first number that a viewer has not seen, from 0 for the first that was measured
 * @param last such number; below {@code first} if none is missing
 */
public record Gap(long first, long last) {
  public static final Gap NONE = new Gap(Long.MAX_VALUE, -1);

  /** What of the first {@code most} messages has not been seen. */
  public static Gap of(BitSet seen, long most) {
    int count = (int) Math.max(0, Math.min(most, Integer.MAX_VALUE));
    int first = seen.nextClearBit(0);
    return first >= count ? NONE : new Gap(first, seen.previousClearBit(count - 1));
  }

  /** From the first to the last of all of them. */
  public static Gap around(List<Gap> gaps) {
    return new Gap(
        gaps.stream().mapToLong(Gap::first).min().orElse(NONE.first),
        gaps.stream().mapToLong(Gap::last).max().orElse(NONE.last));
  }
}
