package io.galop.loadtest.run;

import java.util.Locale;
import java.util.Map;

/** How far a run is: a line that changes on a terminal, a line for each step elsewhere. */
public final class Progress {
  private static final String TO_THE_LINES_START = "\r\u001b[K";

  private final boolean isTerminal = System.console() != null && System.getenv("TERM") != null;
  private volatile String phase = "";

  /** Something else is done from now on. */
  public void phase(String words) {
    phase = words;
    now(words);
  }

  /** Something is known that stays. */
  public void line(String words) {
    System.err.println((isTerminal ? TO_THE_LINES_START : "") + words);
  }

  /** A sample. */
  public void row(Map<String, Double> row) {
    if (isTerminal) {
      System.err.printf(
          Locale.ROOT,
          "%s%6.0f s  %s: asked %,.0f/s  acknowledged %,.0f/s  live p99 %s ms  waiting %,.0f"
              + "  CPU %s + %.2f",
          TO_THE_LINES_START,
          row.get("seconds"),
          phase,
          row.get("asked"),
          row.get("acked"),
          figure(row.getOrDefault("liveP99Ms", Double.NaN)),
          row.get("backlog"),
          figure(row.get("serverProcessors")),
          row.get("ownProcessors"));
    }
  }

  private static String figure(double value) {
    return Double.isNaN(value) ? "?" : String.format(Locale.ROOT, "%.2f", value);
  }

  /** How it stands at this moment. */
  public void now(String words) {
    if (isTerminal) {
      System.err.print(TO_THE_LINES_START + words);
    }
  }

  /** Nothing more comes. */
  public void end() {
    if (isTerminal) {
      System.err.print(TO_THE_LINES_START);
    }
  }
}
