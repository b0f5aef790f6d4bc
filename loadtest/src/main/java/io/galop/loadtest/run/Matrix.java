package io.galop.loadtest.run;

import io.galop.loadtest.experiments.state.Discipline;
import io.galop.loadtest.experiments.state.StateSite;
import io.galop.loadtest.scenario.Scenario;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same injection over several combinations of bricks, each started for itself. */
public record Matrix(
    @Doc("Records per second.") @Default("20000") @Range(min = 1, max = 10_000_000)
        double ratePerSecond,
    @Doc("Duration.") @Default("8") @Range(min = 0.5, max = 86_400) double seconds,
    @Doc("Warm-up time.") @Default("4") @Range(min = 0, max = 600) double warmUpSeconds,
    @Doc("How long stores may take afterwards.") @Default("20") @Range(min = 0, max = 86_400)
        double drainSeconds,
    @Doc(
            "Combinations, each with `name`, `stores`, `config`, `state` (none, single-writer, lock"
                + " or stm), `ratePerSecond`.")
        List<MatrixRow> rows)
    implements Measure {

  public Matrix {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("rows must name at least one");
    }
  }

  @Override
  public boolean needsStart() {
    return true;
  }

  @Override
  public Findings run(Bench bench) throws IOException, InterruptedException {
    List<List<String>> cells = new ArrayList<>();
    List<String> undone = new ArrayList<>();
    Map<String, Double> figures = new LinkedHashMap<>();
    Course course = new Course();
    for (MatrixRow row : rows) {
      bench.progress().phase(row.name());
      cells.add(one(bench, row, figures, undone, course));
      bench.progress().line(String.join("  ", cells.get(cells.size() - 1)));
    }
    List<String> sentences = new ArrayList<>(undone);
    String words =
        "A combination's effective rate counts a record when it is acknowledged and in every store;"
            + " where stores were not done in time, what they had then.";
    sentences.add(words);
    sentences.add(bench.health(bench.scenario().inject(), 2 * ratePerSecond).words());
    return course.findings(sentences, figures, List.of(MatrixTable.of(cells)), undone.isEmpty());
  }

  /** What a combination has not done of what it should have, in words; empty if nothing. */
  static List<String> undone(MatrixRow row, double completeness, boolean isStored) {
    List<String> undone = new ArrayList<>();
    if (!(completeness >= 1)) {
      undone.add(
          "%s is not complete: %.5f of what was sent was acknowledged and seen."
              .formatted(row.name(), completeness));
    }
    if (!isStored) {
      undone.add(
          row.name() + " is not done: its stores had not all that was sent after drainSeconds.");
    }
    return undone;
  }

  private double rate(MatrixRow row) {
    return row.ratePerSecond() > 0 ? row.ratePerSecond() : ratePerSecond;
  }

  private List<String> one(
      Bench bench, MatrixRow row, Map<String, Double> figures, List<String> undone, Course course)
      throws IOException, InterruptedException {
    try (Rig rig = rig(bench, row)) {
      rig.step(rate(row), bench.seconds(warmUpSeconds));
      rig.awaitStored(bench.seconds(drainSeconds));
      double storedBefore = rig.stores().stored();
      Step step = rig.step(rate(row), bench.seconds(seconds));
      double done = rig.awaitStored(bench.seconds(drainSeconds));
      double effective =
          Double.isNaN(done)
              ? (rig.stores().stored() - storedBefore) / (rig.watch().seconds() - step.from())
              : step.acked()
                  / Math.max(rig.stores().areThere() ? done - step.from() : 0, step.tookSeconds());
      String prefix = row.name().replaceAll("[^A-Za-z0-9]+", "-") + ".";
      figures.put(prefix + "effectivePerSecond", effective);
      StepTable.put(figures, prefix, step);
      course.add(row.name(), rig);
      undone.addAll(undone(row, step.completeness(), !Double.isNaN(done)));
      return MatrixTable.row(row, step, effective);
    }
  }

  private static Rig rig(Bench bench, MatrixRow row) throws IOException, InterruptedException {
    Scenario scenario = bench.scenario();
    if (row.state() != Discipline.NONE) {
      Scenario unwatched = scenario.withViewers(scenario.viewers().withCount(0));
      List<String> flags = scenario.start().jvmFlags();
      return bench.open(unwatched, StateSite.start(row.state(), flags));
    }
    return bench.open(scenario.withStart(scenario.start().with(row.stores(), row.config())));
  }
}
