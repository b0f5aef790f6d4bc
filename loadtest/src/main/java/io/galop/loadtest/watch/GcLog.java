package io.galop.loadtest.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pauses of garbage collectors, out of unified GC logs with the decoration {@code timemillis}. */
public final class GcLog {
  /**
   * A pause.
   *
   * @param epochMs when it ended
   * @param ms how long the application stood still
   */
  public record Pause(long epochMs, double ms) {}

  private static final Pattern PAUSE =
      Pattern.compile("^\\[(\\d+)ms].*\\bPause .*?(\\d+\\.\\d+)ms\\s*$");

  private GcLog() {}

  /** All pauses of some logs, those that are not there left out. */
  public static List<Pause> pauses(List<Path> logs) throws IOException {
    List<Pause> pauses = new ArrayList<>();
    for (Path log : logs) {
      if (Files.exists(log)) {
        Files.readAllLines(log).forEach(line -> add(line, pauses));
      }
    }
    return pauses;
  }

  static void add(String line, List<Pause> pauses) {
    Matcher matcher = PAUSE.matcher(line);
    if (matcher.find()) {
      double ms = Double.parseDouble(matcher.group(2));
      pauses.add(new Pause(Long.parseLong(matcher.group(1)), ms));
    }
  }

  /** The pause that so many percent are not longer than, in milliseconds; 0 without any. */
  public static double percentileMs(List<Pause> pauses, double percent) {
    double[] sorted = pauses.stream().mapToDouble(Pause::ms).sorted().toArray();
    return sorted.length == 0
        ? 0
        : sorted[(int) Math.max(0, Math.ceil(percent / 100 * sorted.length) - 1)];
  }

  /** Which part of a time the application was not standing still, in percent. */
  public static double throughputPercent(List<Pause> pauses, double seconds) {
    double paused = pauses.stream().mapToDouble(Pause::ms).sum() / 1e3;
    return 100 * Math.max(0, 1 - paused / Math.max(1e-9, seconds));
  }
}
