package io.galop.loadtest.run;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.util.List;

/** Finds the highest rate at which the goal holds, and shows how it is below and at it. */
public record Knee(
    @Doc("The first rate, records per second.") @Default("2000") @Range(min = 1, max = 10_000_000)
        double fromPerSecond,
    @Doc("The highest rate.") @Default("2000000") @Range(min = 1, max = 10_000_000)
        double toPerSecond,
    @Doc("Factor between rates until the goal breaks.") @Default("2") @Range(min = 1.1, max = 10)
        double growth,
    @Doc("Warm-up time.") @Default("30") @Range(min = 0, max = 600) double warmUpSeconds,
    @Doc("Duration of each rate.") @Default("4") @Range(min = 0.5, max = 600) double stepSeconds,
    @Doc("Gap between passing and failing rate, as a fraction.")
        @Default("0.05")
        @Range(min = 0.001, max = 0.5)
        double precision,
    @Doc("How long the result must hold.") @Default("10") @Range(min = 1, max = 3600)
        double confirmSeconds,
    @Doc("How long percentages of the peak are then held.")
        @Default("[1, 5, 10, 30]")
        @Range(min = 1, max = 86_400)
        List<Integer> holdSeconds,
    @Doc("Percentages of the peak.") @Default("[80, 90, 100]") @Range(min = 1, max = 200)
        List<Integer> holdPercents)
    implements Measure {

  public Knee {
    if (toPerSecond < fromPerSecond) {
      throw new IllegalArgumentException("toPerSecond must not be below fromPerSecond");
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
