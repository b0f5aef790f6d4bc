package io.galop.loadtest.run;

import io.galop.loadtest.scenario.Goal;
import io.galop.loadtest.scenario.Scenario;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The same records to more and more viewers, each time of a node that was just started. */
public record Viewers(
    @Doc("Numbers of viewers.") @Default("[1, 100, 200, 1000]") @Range(min = 0, max = 19_000)
        List<Integer> counts,
    @Doc("Records per second.") @Default("100") @Range(min = 1, max = 10_000_000)
        double ratePerSecond,
    @Doc("Duration.") @Default("10") @Range(min = 0.5, max = 86_400) double seconds,
    @Doc("Warm-up time.") @Default("5") @Range(min = 0, max = 600) double warmUpSeconds)
    implements Measure {

  @Override
  public Findings run(Bench bench) throws IOException, InterruptedException {
    Scenario scenario = bench.scenario();
    Goal goal = scenario.goal();
    List<Step> steps = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    Map<String, Double> figures = new LinkedHashMap<>();
    Course course = new Course();
    for (int count : counts) {
      Step step = one(bench, scenario.withViewers(scenario.viewers().withCount(count)), course);
      steps.add(step);
      rows.add(row(count, step));
      StepTable.put(figures, "with" + count, step);
      if (step.received() > 0) {
        figures.put("deliveryMicros", deliveryMicros(step));
      }
      bench.progress().line(count + " viewers: " + step.line(goal));
    }
    Health health = bench.health(scenario.inject(), 2 * ratePerSecond);
    List<String> sentences = new ArrayList<>();
    sentences.add(
        String.format(Locale.ROOT, "%,.0f records/s to %s viewers.", ratePerSecond, counts));
    sentences.add(health.words());
    List<String> head = List.of("viewers", "deliveries/s", "lost viewers", "node CPU µs/delivery");
    return course.findings(
        sentences,
        figures,
        List.of(
            new Table("Deliveries", head, rows), StepTable.of("With more viewers", steps, goal)),
        steps.stream().allMatch(step -> step.broken(goal).isEmpty()));
  }

  private Step one(Bench bench, Scenario version, Course course)
      throws IOException, InterruptedException {
    try (Rig rig = bench.open(version)) {
      bench.progress().phase(version.viewers().count() + " viewers");
      rig.step(ratePerSecond, bench.seconds(warmUpSeconds));
      Step step = rig.step(ratePerSecond, bench.seconds(seconds));
      course.add(version.viewers().count() + " viewers", rig);
      return step;
    }
  }

  private static List<String> row(int count, Step step) {
    return List.of(
        "" + count,
        String.format(Locale.ROOT, "%,.0f", deliveries(step)),
        "" + step.lost(),
        StepTable.words("%.2f", deliveryMicros(step)));
  }

  private static double deliveries(Step step) {
    return step.received() / Math.max(1e-3, step.to() - step.from());
  }

  /** What nodes calibrate their headroom with: of the last number of viewers. */
  private static double deliveryMicros(Step step) {
    return 1e6 * step.serverProcessors() / deliveries(step);
  }
}
