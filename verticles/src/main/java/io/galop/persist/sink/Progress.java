package io.galop.persist.sink;

import io.galop.persist.log.LogPosition;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How far everything is stored, although batches are confirmed in any order: up to the end of the
 * last piece of the Log with none open before it. Lives on the sink's thread.
 */
final class Progress {
  private final Deque<Stretch> underWay = new ArrayDeque<>();
  private LogPosition reached;

  Progress(LogPosition from) {
    this.reached = from;
  }

  /** A piece was read; all of its records that are to be stored are known. */
  void add(Stretch stretch) {
    if (!underWay.isEmpty() && underWay.peekLast().isSettled() && stretch.isSettled()) {
      // Behind one that stays open for long there may be many without anything to store.
      underWay.removeLast();
    }
    underWay.addLast(stretch);
    move();
  }

  /** Moves over what is settled. */
  LogPosition move() {
    while (!underWay.isEmpty() && underWay.peekFirst().isSettled()) {
      reached = underWay.removeFirst().end();
    }
    return reached;
  }

  /** Where everything would be stored up to if what is open now were; for a sole batch. */
  LogPosition end() {
    return underWay.isEmpty() ? reached : underWay.peekLast().end();
  }
}
