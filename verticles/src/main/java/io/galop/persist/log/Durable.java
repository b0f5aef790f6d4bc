package io.galop.persist.log;

import io.galop.persist.log.file.LogPosition;

/** The end of what is on disk, and those who wait for it to move. */
final class Durable {
  private volatile LogPosition position = LogPosition.START;

  LogPosition position() {
    return position;
  }

  synchronized void advance(LogPosition next) {
    position = next;
    notifyAll();
  }

  synchronized boolean awaitBeyond(LogPosition known, long timeoutMs) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutMs * 1_000_000;
    while (position.compareTo(known) <= 0) {
      long leftMs = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMs <= 0) {
        return false;
      }
      wait(leftMs);
    }
    return true;
  }
}
