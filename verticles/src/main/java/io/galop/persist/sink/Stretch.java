package io.galop.persist.sink;

import io.galop.persist.log.file.LogPosition;
import io.galop.record.Placed;

/** A piece of the Log that was read at once. Lives on the sink's thread. */
final class Stretch {
  private final LogPosition end;
  private final SinkBook book;
  private int open;

  /** Records that the store has answered for and that are not settled yet. */
  private int answered;

  Stretch(LogPosition end, SinkBook book) {
    this.end = end;
    this.book = book;
  }

  /** A record that the store is to keep, and where it is from. */
  record Kept(Placed placed, Stretch from, long bytes) {
    /** It is to be stored. */
    void begin() {
      from.add();
      from.book.waits(this);
    }

    /** The store has answered, whatever it says. */
    void answered() {
      from.answered++;
    }

    /** It is stored or a dead letter. */
    void settle() {
      end();
      from.book.passed(this, from.claimAnswer());
    }

    /** Another has taken its place. */
    void giveWay() {
      end();
      from.book.heldBack(this);
    }

    private void end() {
      from.settle();
      from.book.settled(this);
    }
  }

  /** Whether the store has answered for one more than are settled: none may be settled before. */
  private boolean claimAnswer() {
    boolean isThere = answered > 0;
    answered -= isThere ? 1 : 0;
    return isThere;
  }

  /** One more of its records is to be stored. */
  void add() {
    open++;
  }

  /** One is stored, or another has taken its place. */
  void settle() {
    open--;
  }

  boolean isSettled() {
    return open == 0;
  }

  LogPosition end() {
    return end;
  }
}
