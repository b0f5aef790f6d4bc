package io.galop.loadtest.run;

import io.galop.loadtest.latency.Latencies;
import java.util.List;
import java.util.Locale;

/** The table of a {@link Matrix}: a row for each combination. */
final class MatrixTable {
  private static final List<String> HEAD =
      List.of(
          "combination",
          "asked/s",
          "effective/s",
          "gap %",
          "p50 ms",
          "p99 ms",
          "ack p99 ms",
          "node CPU",
          "gen. CPU",
          "switches/record",
          "complete");

  private MatrixTable() {}

  static Table of(List<List<String>> rows) {
    return new Table("Combinations", HEAD, rows);
  }

  static List<String> row(MatrixRow row, Step step, double effective) {
    return List.of(
        row.name(),
        words("%,.0f", step.asked()),
        words("%,.0f", effective),
        words("%.1f", 100 * Math.max(0, 1 - effective / step.asked())),
        words("%.1f", StepTable.liveMs(step, 50)),
        words("%.1f", step.p99Ms()),
        words("%.1f", Latencies.ms(step.ack(), 99)),
        words("%.2f", step.serverProcessors()),
        words("%.2f", step.ownProcessors()),
        words("%.3f", step.switchesPerRecord()),
        words("%.5f", step.completeness()));
  }

  private static String words(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
