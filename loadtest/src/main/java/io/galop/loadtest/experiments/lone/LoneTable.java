package io.galop.loadtest.experiments.lone;

import io.galop.loadtest.latency.Latencies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Medians over turns, as a table. */
final class LoneTable {
  private static final String ROW = "%-28s%9s%9s%9s%9s%9s%9s%9s%9s%n";

  private LoneTable() {}

  /** Servers in their order, each with its turns. */
  static String of(Map<String, List<LoneTurn>> turns) {
    StringBuilder table =
        new StringBuilder(
            ROW.formatted(
                "on disk, ms",
                "p50",
                "p99",
                "p50 min",
                "p50 max",
                "seen p50",
                "seen p99",
                "CPU µs",
                "switches"));
    new LinkedHashMap<>(turns).forEach((name, all) -> table.append(row(name, all)));
    return table.toString();
  }

  private static String row(String name, List<LoneTurn> turns) {
    double[] p50s = sorted(turns, turn -> Latencies.ms(turn.acknowledged(), 50));
    return ROW.formatted(
        name,
        text(median(p50s)),
        text(median(turns, turn -> Latencies.ms(turn.acknowledged(), 99))),
        text(p50s[0]),
        text(p50s[p50s.length - 1]),
        text(median(turns, turn -> Latencies.ms(turn.seen(), 50))),
        text(median(turns, turn -> Latencies.ms(turn.seen(), 99))),
        text(median(turns, LoneTurn::cpuMicros)),
        text(median(turns, LoneTurn::switches)));
  }

  private static double median(List<LoneTurn> turns, ToDoubleFunction<LoneTurn> figure) {
    return median(sorted(turns, figure));
  }

  static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double[] sorted(List<LoneTurn> turns, ToDoubleFunction<LoneTurn> figure) {
    return turns.stream().mapToDouble(figure).sorted().toArray();
  }

  private static String text(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }
}
