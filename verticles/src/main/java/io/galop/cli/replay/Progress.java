package io.galop.cli.replay;

import io.galop.cli.Console;
import java.util.concurrent.TimeUnit;

/** A bar on the terminal that shows how far a replay is; nothing where there is no terminal. */
final class Progress {
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int WIDTH = 30;
  private final Console console;
  private final long totalBytes;
  private final Clock clock;
  private long shownNanos;
  private boolean shown;

  Progress(Console console, long totalBytes, Clock clock) {
    this.console = console;
    this.totalBytes = Math.max(1, totalBytes);
    this.clock = clock;
    this.shownNanos = clock.nanos() - EVERY_NANOS;
  }

  /** Draws the bar again if it is time to. */
  void show(long bytes, long lines, long answered, long rejected) {
    if (!console.terminal() || clock.nanos() - shownNanos < EVERY_NANOS) {
      return;
    }
    shownNanos = clock.nanos();
    shown = true;
    console.err().print(Console.CLEAR_LINE + bar(bytes, lines, answered, rejected));
    console.err().flush();
  }

  private String bar(long bytes, long lines, long answered, long rejected) {
    double part = Math.min(1.0, (double) bytes / totalBytes);
    int full = (int) (part * WIDTH);
    return "[%s%s] %3d %%  %,d sent  %,d answered  %,d rejected"
        .formatted(
            "=".repeat(full),
            " ".repeat(WIDTH - full),
            (int) (part * 100),
            lines,
            answered,
            rejected);
  }

  /** Clears the bar away. */
  void end() {
    if (shown) {
      console.err().print(Console.CLEAR_LINE);
      console.err().flush();
    }
  }
}
