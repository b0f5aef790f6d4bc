package io.galop.loadtest.experiments.relays;

import java.util.List;
import java.util.Locale;

/** How much later the viewers of each level of relays are: medians over the turns. */
final class TreeReport {
  private TreeReport() {}

  static void print(TreeShape shape, List<TreeTurn> turns) {
    System.out.printf(
        "%-6s %10s %10s %10s %10s%n", "level", "processes", "p50 ms", "p99 ms", "lacking");
    for (int level = 0; level <= shape.levels().size(); level++) {
      int at = level;
      System.out.printf(
          Locale.ROOT,
          "%-6d %10d %10.2f %10.2f %10d%n",
          level,
          shape.of(level).size(),
          median(turns.stream().mapToDouble(turn -> turn.ms(at, 50)).sorted().toArray()),
          median(turns.stream().mapToDouble(turn -> turn.ms(at, 99)).sorted().toArray()),
          turns.stream().mapToLong(turn -> turn.lacking().get(at)).sum());
    }
  }

  private static double median(double[] sorted) {
    return sorted[sorted.length / 2];
  }
}
