package io.galop.persist.sink;

import io.galop.persist.log.file.LogPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * How far everything is stored, although batches are confirmed in any order: up to the end of the
 * last piece of the Log with none open before it. Lives on the sink's thread.
 */
final class Progress {
  private static final int MERGE_FROM = 64;
  private final Deque<Stretch> underWay = new ArrayDeque<>();
  private LogPosition reached;
  private int mergeAt = MERGE_FROM;

  Progress(LogPosition from) {
    this.reached = from;
  }

  /** A piece was read; all of its records that are to be stored are known. */
  void add(Stretch stretch) {
    append(stretch);
    move();
    if (underWay.size() >= mergeAt) {
      merge();
      mergeAt = Math.max(MERGE_FROM, 2 * underWay.size());
    }
  }

  /** Of those that are settled and next to each other the end of the last is all that counts. */
  private void append(Stretch stretch) {
    if (!underWay.isEmpty() && underWay.peekLast().isSettled() && stretch.isSettled()) {
      underWay.removeLast();
    }
    underWay.addLast(stretch);
  }

  /**
   * Behind one that a sampling rule holds open for an hour many settle. Whenever there are twice as
   * many as the last time left, which costs little and leaves no more than those that are open
   * need.
   */
  private void merge() {
    List<Stretch> all = List.copyOf(underWay);
    underWay.clear();
    all.forEach(this::append);
  }

  /** How many pieces are kept. */
  int pieces() {
    return underWay.size();
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
