package io.galop.loadtest.client;

import io.galop.loadtest.latency.Gap;
import java.util.BitSet;

/** What one viewer has seen. Belongs to one event loop. */
final class ViewerTally {
  private final LoopFigures figures;
  private final BitSet seen = new BitSet();
  private long base = -1;
  private long highest = -1;
  private boolean isWarm;
  private boolean isLost;
  private boolean hasLeft;
  private boolean isTold;

  ViewerTally(LoopFigures figures) {
    this.figures = figures;
  }

  void onStamp(long number, long dueNanos) {
    isWarm = true;
    if (base < 0 && figures.isFollowing()) {
      base = highest < 0 ? number : highest + 1; // messages of other topics may overtake
    }
    highest = Math.max(highest, number);
    long index = number - first();
    if (index < 0 || index >= figures.most()) {
      return;
    }
    figures.onDelivery(dueNanos, seen.get((int) index));
    seen.set((int) index);
  }

  /** Other messages count from now on. */
  void forget() {
    seen.clear();
  }

  private long first() {
    return figures.isFollowing() ? base : figures.first();
  }

  /** The connection has ended though nobody wanted it to. */
  void onLost() {
    isLost = !hasLeft;
  }

  /** It is being closed by us: what comes later it need not see. */
  void leave() {
    hasLeft = true;
  }

  /** The server has said that something is missing. */
  void onTold() {
    isTold = true;
  }

  boolean isWarm() {
    return isWarm || isLost || hasLeft;
  }

  boolean isLost() {
    return isLost;
  }

  boolean isTold() {
    return isTold;
  }

  boolean hasLeft() {
    return hasLeft;
  }

  long received() {
    return seen.cardinality();
  }

  /**
   * Messages that it should have seen and has not. Where each viewer is followed from its first
   * message on, one that has left should have seen all up to its last.
   *
   * @param end the number after the last message published
   */
  long missing(long end) {
    return figures.isFollowing()
        ? Math.max(0, expected(end) - received())
        : expected(end) - received();
  }

  /** Where those are, counted from the first that it should have seen. */
  Gap gap(long end) {
    return Gap.of(seen, expected(end));
  }

  private long expected(long end) {
    if (!figures.isFollowing()) {
      return Math.min(figures.most(), end - figures.first());
    }
    return base < 0 ? 0 : (hasLeft ? highest + 1 : end) - base;
  }
}
