package io.galop.loadtest.run;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.scenario.Goal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a search for the knee has found, in words, figures and tables. */
final class KneeFindings {
  private KneeFindings() {}

  static Findings of(Bench bench, Rig rig, KneeSearch search, Health health) throws IOException {
    Goal goal = bench.scenario().goal();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        search.confirmed() == null
            ? "No rate was found at which the goal holds."
            : String.format(
                Locale.ROOT,
                "The knee is at %,.0f records/s: p50 %.1f ms, p99 %.1f ms.",
                search.peak(),
                StepTable.liveMs(search.confirmed(), 50),
                search.confirmed().p99Ms()));
    sentences.add(
        search.bad() == null
            ? "No rate up to the highest broke the goal."
            : Cause.of(search.confirmed(), search.bad(), goal, rig.watch().series()).sentence());
    if (search.confirmed() != null) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "A record takes %.1f µs of processor time there: headroom.recordMicros.",
              recordMicros(search.confirmed())));
    }
    sentences.add(health.words());
    List<Table> tables =
        List.of(
            StepTable.of("At parts of the knee", search.held(), goal),
            StepTable.of("The search", search.steps(), goal));
    return Findings.of(
        rig,
        sentences,
        figures(search, health),
        tables,
        search.phases(),
        search.confirmed() != null);
  }

  /** What nodes calibrate their headroom with. */
  private static double recordMicros(Step step) {
    return 1e6 * step.serverProcessors() / step.asked();
  }

  private static Map<String, Double> figures(KneeSearch search, Health health) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("kneePerSecond", search.peak());
    if (search.confirmed() != null) {
      StepTable.put(figures, "", search.confirmed());
      figures.put("recordMicros", recordMicros(search.confirmed()));
    }
    for (Step step : search.held()) {
      long percent = Math.round(100 * step.asked() / search.peak());
      // The longest of each rate comes last and stays.
      figures.put("hold" + percent + "P99Ms", step.p99Ms());
      figures.put("hold" + percent + "P50Ms", Latencies.ms(step.live(), 50));
      figures.put("hold" + percent + "Completeness", step.completeness());
    }
    figures.put("generatorLagP99Ms", health.lagP99Ms());
    figures.put("generatorPerSecond", health.reached());
    return figures;
  }
}
