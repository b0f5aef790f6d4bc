package io.galop;

import io.galop.node.Readiness;
import io.vertx.core.Vertx;

/** Warns where an operator looks while nobody reads the log. On one event loop. */
final class UnreadLog {
  private static final String PART = "log lines";
  private static final long LOOK_MS = 2_000;
  private static final String ADVICE =
      "let the terminal (Ctrl-Q) or the program that reads standard error go on";

  private final Readiness readiness;

  /** When it looked last. */
  private long written;

  private boolean wereWaiting;

  private UnreadLog(Readiness readiness) {
    this.readiness = readiness;
  }

  static void watch(Vertx vertx, Readiness readiness) {
    UnreadLog unread = new UnreadLog(readiness);
    vertx.setPeriodic(LOOK_MS, timer -> unread.look());
  }

  private void look() {
    int waiting = QueuedConsole.waiting();
    long now = QueuedConsole.written();
    if (waiting == 0) {
      readiness.calm(PART, "all are written");
    } else if (wereWaiting && now == written) {
      readiness.warn(PART, waiting + " wait, since nobody reads standard error", ADVICE);
    }
    wereWaiting = waiting > 0;
    written = now;
  }
}
