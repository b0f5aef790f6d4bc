package io.galop.enrich.script.swap;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that hang in code of a script and were given up. Nothing ends them but the process, and
 * each may take a processor, so there may only be so many. From any thread.
 */
final class Hanging {
  private final int most;
  private final AtomicInteger all;
  private final AtomicInteger here = new AtomicInteger();

  /**
   * None yet.
   *
   * @param all counts those of others too
   */
  Hanging(int most, AtomicInteger all) {
    this.most = most;
    this.all = all;
  }

  /** Whether there are as many as may be. */
  boolean isFull() {
    return here.get() >= most;
  }

  private void add(int more) {
    here.addAndGet(more);
    all.addAndGet(more);
  }

  /** A thread that may be given up; it counts from then on until it ends after all. */
  static final class Member {
    /** Those that it counts among; null until it is given up, and when it has ended. */
    private @Nullable Hanging among;

    private boolean isOver;

    /** Nobody waits for it any more. */
    synchronized void giveUp(Hanging others) {
      if (!isOver && among == null) {
        among = others;
        others.add(1);
      }
    }

    /** It has ended. */
    synchronized void end() {
      isOver = true;
      if (among != null) {
        among.add(-1);
        among = null;
      }
    }

    synchronized boolean isOver() {
      return isOver;
    }
  }
}
