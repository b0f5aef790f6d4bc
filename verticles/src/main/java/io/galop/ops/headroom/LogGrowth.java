package io.galop.ops.headroom;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/** When the Log has no room any more, as it grows of late. For one thread. */
public final class LogGrowth {
  private static final int LOOKS = 60;
  private static final double NS_PER_SECOND = 1e9;

  private final Deque<long[]> looks = new ArrayDeque<>();

  /**
   * Takes what is so now.
   *
   * @param atNs by a clock that never steps
   * @param roomBytes what it may still grow by
   * @param keptBytes to which size it grows when every store has all
   * @param isHeld whether a store keeps it from shrinking
   * @return in how many seconds it is full; empty while it does not come to that
   */
  public OptionalLong secondsUntilFull(
      long atNs, long sizeBytes, long roomBytes, long keptBytes, boolean isHeld) {
    looks.addLast(new long[] {atNs, sizeBytes});
    if (looks.size() > LOOKS) {
      looks.removeFirst();
    }
    if (roomBytes <= 0) {
      return OptionalLong.of(0);
    }
    long[] first = looks.getFirst();
    long grown = sizeBytes - first[1];
    boolean endsBefore = !isHeld && keptBytes < sizeBytes + roomBytes;
    if (grown <= 0 || atNs <= first[0] || endsBefore) {
      return OptionalLong.empty();
    }
    double perSecond = grown / ((atNs - first[0]) / NS_PER_SECOND);
    return OptionalLong.of((long) (roomBytes / perSecond));
  }
}
