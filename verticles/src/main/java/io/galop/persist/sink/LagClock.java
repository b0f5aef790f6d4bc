package io.galop.persist.sink;

import io.galop.persist.log.file.LogPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Tells how old the oldest record is that a store has not: remembers when the Log had come how far.
 * Safe to call from any thread.
 */
final class LagClock {
  private static final int MOST_MARKS = 512;
  private static final long FIRST_STEP_NS = 50_000_000;
  private final Deque<Mark> marks = new ArrayDeque<>();
  private long stepNs = FIRST_STEP_NS;

  private record Mark(LogPosition position, long atNs) {}

  /** Notes where the Log and the store are now; seconds that the store is behind. */
  synchronized double observe(LogPosition durable, LogPosition stored, long nowNs) {
    Mark last = marks.peekLast();
    boolean moved = last == null || last.position().compareTo(durable) < 0;
    if (moved && stored.compareTo(durable) < 0 && (last == null || nowNs - last.atNs() >= stepNs)) {
      marks.addLast(new Mark(durable, nowNs));
      thinOut();
    }
    while (!marks.isEmpty() && marks.peekFirst().position().compareTo(stored) <= 0) {
      marks.removeFirst();
    }
    if (marks.isEmpty()) {
      stepNs = FIRST_STEP_NS;
      return 0;
    }
    return (nowNs - marks.peekFirst().atNs()) / 1e9;
  }

  /** Half of the marks say nearly as much. */
  private void thinOut() {
    if (marks.size() < MOST_MARKS) {
      return;
    }
    stepNs *= 2;
    Iterator<Mark> all = marks.iterator();
    for (int i = 0; all.hasNext(); i++) {
      all.next();
      if (i % 2 == 1) {
        all.remove();
      }
    }
  }
}
