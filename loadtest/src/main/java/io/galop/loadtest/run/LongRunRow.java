package io.galop.loadtest.run;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.watch.GcLog;
import io.galop.loadtest.watch.Series;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came of one variant of a {@link LongRun}. */
record LongRunRow(
    Variant variant, Step step, double storedAfter, double seconds, List<GcLog.Pause> pauses) {
  static final List<String> HEAD =
      List.of(
          "variant",
          "records/s",
          "all stored after s",
          "live p50 ms",
          "live p99 ms",
          "live max ms",
          "complete",
          "node CPU",
          "heap most MB",
          "pauses",
          "pause p99.9 ms",
          "pause max ms",
          "GC throughput %");

  List<String> row(Series series) {
    return List.of(
        variant.name(),
        words("%,.0f", step.sent() / Math.max(1e-3, step.to() - step.from())),
        Double.isNaN(storedAfter) ? "never" : words("%.1f", storedAfter),
        words("%.1f", Latencies.ms(step.live(), 50)),
        words("%.1f", step.p99Ms()),
        words("%.1f", Latencies.ms(step.live(), 100)),
        words("%.5f", step.completeness()),
        words("%.2f", step.serverProcessors()),
        words("%.0f", series.max("heapMb", step.from(), step.to())),
        "" + pauses.size(),
        words("%.3f", GcLog.percentileMs(pauses, 99.9)),
        words("%.3f", GcLog.percentileMs(pauses, 100)),
        words("%.3f", GcLog.throughputPercent(pauses, seconds)));
  }

  void put(Map<String, Double> figures) {
    String prefix = variant.name().replaceAll("[^A-Za-z0-9]+", "-") + ".";
    StepTable.put(figures, prefix, step);
    figures.put(prefix + "storedAfterSeconds", storedAfter);
    figures.put(prefix + "gcPauseP999Ms", GcLog.percentileMs(pauses, 99.9));
    figures.put(prefix + "gcThroughputPercent", GcLog.throughputPercent(pauses, seconds));
  }

  private static String words(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
