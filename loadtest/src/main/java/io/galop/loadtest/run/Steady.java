package io.galop.loadtest.run;

import io.galop.loadtest.scenario.Goal;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends at rates that are given, each for a time. */
public record Steady(
    @Doc("Rates in records per second.") @Range(min = 1, max = 10_000_000)
        List<Integer> ratesPerSecond,
    @Doc("Duration of each rate.") @Default("30") @Range(min = 0.5, max = 86_400) double seconds,
    @Doc("Warm-up time.") @Default("5") @Range(min = 0, max = 600) double warmUpSeconds)
    implements Measure {

  public Steady {
    if (ratesPerSecond.isEmpty()) {
      throw new IllegalArgumentException("ratesPerSecond must name at least one");
    }
  }

  @Override
  public Findings run(Bench bench) throws IOException, InterruptedException {
    Goal goal = bench.scenario().goal();
    List<Step> steps = new ArrayList<>();
    List<RunPhase> phases = new ArrayList<>();
    List<String> sentences = new ArrayList<>();
    Map<String, Double> figures = new LinkedHashMap<>();
    try (Rig rig = bench.open()) {
      bench.progress().phase("warm-up");
      rig.step(ratesPerSecond.get(0), bench.seconds(warmUpSeconds));
      for (int rate : ratesPerSecond) {
        bench.progress().phase(rate + "/s");
        Step step = rig.step(rate, bench.seconds(seconds));
        steps.add(step);
        phases.add(new RunPhase(rate + "/s", step.from(), step.to()));
        bench.progress().line(step.line(goal));
        sentences.add(sentence(step, goal, rig));
        StepTable.put(figures, ratesPerSecond.size() == 1 ? "" : "at" + rate, step);
      }
      int highest = ratesPerSecond.stream().mapToInt(Integer::intValue).max().getAsInt();
      sentences.add(bench.health(bench.scenario().inject(), 2.0 * highest).words());
      List<Table> tables = List.of(StepTable.of("Rates", steps, goal));
      boolean holds = steps.stream().allMatch(step -> step.broken(goal).isEmpty());
      return Findings.of(rig, sentences, figures, tables, phases, holds);
    }
  }

  private static String sentence(Step step, Goal goal, Rig rig) {
    return step.broken(goal).isEmpty()
        ? step.line(goal).strip() + "."
        : Cause.of(null, step, goal, rig.watch().series()).sentence();
  }
}
