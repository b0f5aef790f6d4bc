package io.galop.loadtest.chaos;

import java.util.Locale;

/** What may happen to a cluster. */
enum FaultKind {
  /** A process is killed (SIGKILL) and started again. */
  KILL(4, 15),
  /** A process stands still (SIGSTOP) and goes on. */
  FREEZE(2, 20),
  /** Another storing node comes, and goes in order. */
  JOIN(10, 20),
  /** Every node in turn is stopped in order (SIGTERM) and started again. */
  ROLL(1, 3),
  /** A node's way to others is cut; clients still reach it. */
  CUT(4, 20),
  /** The disk of a storing node is full. */
  DISK(5, 15),
  /** A node's clock is an hour off. */
  CLOCK(5, 15),
  /** A store's process is killed, or stands still. */
  STORE(5, 15);

  private final int leastSeconds;
  private final int mostSeconds;

  FaultKind(int leastSeconds, int mostSeconds) {
    this.leastSeconds = leastSeconds;
    this.mostSeconds = mostSeconds;
  }

  int leastSeconds() {
    return leastSeconds;
  }

  int mostSeconds() {
    return mostSeconds;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
