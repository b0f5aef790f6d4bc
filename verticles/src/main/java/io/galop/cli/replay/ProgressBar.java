package io.galop.cli.replay;

import io.galop.cli.ProgressLine;
import io.galop.cli.Terminal;

/** A bar on the terminal that shows how far a replay is. */
final class ProgressBar {
  private static final int WIDTH = 30;
  private final ProgressLine line;
  private final long totalBytes;

  ProgressBar(Terminal console, long totalBytes, Clock clock) {
    this.line = new ProgressLine(console, clock::nanos);
    this.totalBytes = Math.max(1, totalBytes);
  }

  /** Draws the bar again if it is time to. */
  void show(long bytes, long lines, long answered, long rejected) {
    line.show(() -> bar(bytes, lines, answered, rejected));
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
    line.end();
  }
}
