package io.galop.broadcast.hub;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that may be taken and are given back. Safe to call from any thread. */
public final class Budget {
  private final long max;
  private final AtomicLong taken = new AtomicLong();

  public Budget(long max) {
    this.max = max;
  }

  /** Takes bytes if there are as many left. */
  public boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= max) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  public void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  long taken() {
    return taken.get();
  }
}
