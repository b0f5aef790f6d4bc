package io.galop.ops;

import java.util.ArrayDeque;
import java.util.Deque;

/** By how much a count has grown of late. */
final class Recent {
  private final int looks;
  private final Deque<Long> counts = new ArrayDeque<>();

  /**
   * @param looks over how many looks
   */
  Recent(int looks) {
    this.looks = looks;
  }

  /** Takes what is counted now; by how much that is more than so many looks ago. */
  long grownTo(long count) {
    counts.addLast(count);
    while (counts.size() > looks + 1) {
      counts.removeFirst();
    }
    return Math.max(0, count - counts.getFirst());
  }
}
