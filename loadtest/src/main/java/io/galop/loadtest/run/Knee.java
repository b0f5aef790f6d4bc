package io.galop.loadtest.run;

import io.galop.loadtest.scenario.Default;
import io.galop.loadtest.scenario.Doc;
import io.galop.loadtest.scenario.Range;
import java.io.IOException;
import java.util.List;

/** Finds the highest rate at which the goal holds, and shows how it is below and at it. */
public record Knee(
    @Doc("The first rate, records per second.") @Default("2000") @Range(from = 1, to = 10_000_000)
        double fromPerSecond,
    @Doc("The highest rate.") @Default("2000000") @Range(from = 1, to = 10_000_000)
        double toPerSecond,
    @Doc("Factor between rates until the goal breaks.") @Default("2") @Range(from = 1.1, to = 10)
        double growth,
    @Doc("How long the first rate, four and sixteen times it run as warm-up.")
        @Default("30")
        @Range(from = 0, to = 600)
        double warmUpSeconds,
    @Doc("Duration of each rate.") @Default("4") @Range(from = 0.5, to = 600) double stepSeconds,
    @Doc("Largest gap between the highest passing and the lowest failing rate, as a fraction.")
        @Default("0.05")
        @Range(from = 0.001, to = 0.5)
        double precision,
    @Doc("How long the goal must hold at the result.") @Default("10") @Range(from = 1, to = 3600)
        double confirmSeconds,
    @Doc("Durations for which the percentages of the peak are then held.")
        @Default("[1, 5, 10, 30]")
        @Range(from = 0.5, to = 86_400)
        List<Integer> holdSeconds,
    @Doc("Percentages of the peak.") @Default("[80, 90, 100]") @Range(from = 1, to = 200)
        List<Integer> holdPercents)
    implements Measure {

  public Knee {
    if (toPerSecond < fromPerSecond) {
      throw new IllegalArgumentException("toPerSecond is below fromPerSecond");
    }
  }

  @Override
  public Findings run(Bench bench) throws IOException, InterruptedException {
    try (Rig rig = bench.open()) {
      KneeSearch search = new KneeSearch(this, bench, rig);
      search.find();
      search.hold();
      double peak = search.peak();
      Health health = bench.health(bench.scenario().inject(), Math.max(2 * peak, fromPerSecond));
      return KneeFindings.of(bench, rig, search, health);
    }
  }
}
