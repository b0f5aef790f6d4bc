package io.galop.broadcast;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that may be taken and are given back. Safe to call from any thread. */
final class Budget {
  private final long max;
  private final AtomicLong taken = new AtomicLong();

  Budget(long max) {
    this.max = max;
  }

  /** Takes bytes if there are as many left. */
  boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= max) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  long taken() {
    return taken.get();
  }
}
