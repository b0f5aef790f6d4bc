package io.galop.loadtest.run;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.scenario.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Steps for people. */
public final class StepTable {
  private static final List<String> HEAD =
      List.of(
          "asked/s",
          "seconds",
          "in time %",
          "ack p50 ms",
          "ack p99 ms",
          "live p50 ms",
          "live p99 ms",
          "live p99.9 ms",
          "live max ms",
          "complete",
          "backlog/s",
          "node CPU",
          "gen. CPU",
          "switches/record",
          "gen. lag p99 ms",
          "goal");

  private StepTable() {}

  public static Table of(String title, List<Step> steps, Goal goal) {
    List<List<String>> rows = new ArrayList<>();
    for (Step step : steps) {
      rows.add(row(step, goal));
    }
    return new Table(title, HEAD, rows);
  }

  private static List<String> row(Step step, Goal goal) {
    List<String> broken = step.broken(goal);
    return List.of(
        words("%,.0f", step.asked()),
        words("%.1f", step.to() - step.from()),
        words("%.1f", 100 * step.achieved()),
        words("%.1f", Latencies.ms(step.ack(), 50)),
        words("%.1f", Latencies.ms(step.ack(), 99)),
        words("%.1f", Latencies.ms(step.live(), 50)),
        words("%.1f", Latencies.ms(step.live(), 99)),
        words("%.1f", Latencies.ms(step.live(), 99.9)),
        words("%.1f", Latencies.ms(step.live(), 100)),
        words("%.5f", step.completeness()),
        words("%.0f", step.backlogSlope()),
        words("%.2f", step.serverProcessors()),
        words("%.2f", step.ownProcessors()),
        words("%.3f", step.switchesPerRecord()),
        words("%.2f", step.lagP99Ms()),
        broken.isEmpty() ? "holds" : String.join("; ", broken));
  }

  /** A figure, or a dash where it was not to be had. */
  static String words(String format, double value) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, format, value);
  }

  /** Of viewers where there are some, else of acknowledgements. */
  static double liveMs(Step step, double percentile) {
    return Latencies.ms(step.viewers() > 0 ? step.live() : step.ack(), percentile);
  }

  /** Adds a step's figures. */
  public static void put(Map<String, Double> figures, String prefix, Step step) {
    figures.put(prefix + "p50Ms", liveMs(step, 50));
    figures.put(prefix + "p99Ms", step.p99Ms());
    figures.put(prefix + "p999Ms", liveMs(step, 99.9));
    figures.put(prefix + "maxMs", liveMs(step, 100));
    figures.put(prefix + "ackP99Ms", Latencies.ms(step.ack(), 99));
    figures.put(prefix + "achieved", step.achieved());
    figures.put(prefix + "completeness", step.completeness());
    figures.put(prefix + "serverProcessors", step.serverProcessors());
    figures.put(prefix + "switchesPerRecord", step.switchesPerRecord());
  }
}
