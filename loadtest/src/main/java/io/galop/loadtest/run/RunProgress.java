package io.galop.loadtest.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** How far a run is: a line that changes on a terminal, a line for each step elsewhere. */
public final class RunProgress {
  private static final String TO_THE_LINES_START = "\r\u001b[K";

  /** What is longer than the terminal is wide must not go on in the next line. */
  private static final String NO_WRAP = "\u001b[?7l";

  private static final String WRAP = "\u001b[?7h";
  private static final Path ERRORS = Path.of("/proc/self/fd/2");

  private final boolean isTerminal = isTerminal();
  private volatile String phase = "";

  /** Of the stream that it is written to; the JVM only tells about the others. */
  private static boolean isTerminal() {
    String kind = System.getenv().getOrDefault("TERM", "dumb");
    try {
      String to = Files.readSymbolicLink(ERRORS).toString();
      return !kind.equals("dumb") && (to.startsWith("/dev/pts/") || to.startsWith("/dev/tty"));
    } catch (IOException e) {
      return false;
    }
  }

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
    now(
        String.format(
            Locale.ROOT,
            "%6.0f s  %s: asked %,.0f/s  acknowledged %,.0f/s  live p99 %s ms  waiting %,.0f"
                + "  CPU %s + %.2f",
            row.get("seconds"),
            phase,
            row.get("asked"),
            row.get("acked"),
            figure(row.getOrDefault("liveP99Ms", Double.NaN)),
            row.get("backlog"),
            figure(row.getOrDefault("serverProcessors", Double.NaN)),
            row.get("ownProcessors")));
  }

  private static String figure(double value) {
    return Double.isNaN(value) ? "?" : String.format(Locale.ROOT, "%.2f", value);
  }

  /** How it stands at this moment. */
  public void now(String words) {
    if (isTerminal) {
      System.err.print(TO_THE_LINES_START + NO_WRAP + words + WRAP);
    }
  }

  /** Nothing more comes. */
  public void end() {
    if (isTerminal) {
      System.err.print(TO_THE_LINES_START);
    }
  }
}
