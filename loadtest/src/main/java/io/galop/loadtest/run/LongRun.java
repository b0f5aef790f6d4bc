package io.galop.loadtest.run;

import io.galop.loadtest.scenario.Scenario;
import io.galop.loadtest.scenario.StartPlan;
import io.galop.loadtest.watch.GcLog;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Many records at one rate into all tiers, with each of several ways to start the JVM. */
public record LongRun(
    @Doc("Records per variant; `--shorten` divides it.") @Range(min = 1, max = 10_000_000_000L)
        double records,
    @Doc("The peak that `knee` found.") @Range(min = 1, max = 10_000_000) double peakPerSecond,
    @Doc("Rate in percent of the peak.") @Default("80") @Range(min = 1, max = 200)
        double percentOfPeak,
    @Doc("Warm-up time.") @Default("10") @Range(min = 0, max = 600) double warmUpSeconds,
    @Doc("How long stores may take afterwards.") @Default("120") @Range(min = 0, max = 86_400)
        double drainSeconds,
    @Doc("The variants, each with `name` and `jvmFlags`.") List<Variant> variants)
    implements Measure {

  public LongRun {
    if (variants.isEmpty()) {
      throw new IllegalArgumentException("variants must name at least one");
    }
  }

  @Override
  public boolean needsStart() {
    return variants.size() > 1 || !variants.get(0).jvmFlags().isEmpty();
  }

  @Override
  public Findings run(Bench bench) throws IOException, InterruptedException {
    List<List<String>> rows = new ArrayList<>();
    Map<String, Double> figures = new LinkedHashMap<>();
    @Nullable Findings last = null;
    boolean isComplete = true;
    for (Variant variant : variants) {
      bench.progress().line(variant.name());
      last = one(bench, variant, rows, figures);
      isComplete &= last.isComplete();
    }
    double rate = rate();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        String.format(
            Locale.ROOT,
            "%,.0f records at %,.0f/s with each of %d variants; the plots are of the last one.",
            records / bench.shorten(),
            rate,
            variants.size()));
    sentences.add(bench.health(bench.scenario().inject(), 2 * rate).words());
    Findings plotted = Objects.requireNonNull(last, "at least one variant is there");
    return new Findings(
        sentences,
        figures,
        List.of(new Table("Variants", LongRunRow.HEAD, rows)),
        plotted.series(),
        plotted.startEpochMs(),
        plotted.phases(),
        plotted.pauses(),
        List.of(),
        isComplete);
  }

  private double rate() {
    return peakPerSecond * percentOfPeak / 100;
  }

  private Findings one(
      Bench bench, Variant variant, List<List<String>> rows, Map<String, Double> figures)
      throws IOException, InterruptedException {
    Scenario scenario = bench.scenario();
    StartPlan start = scenario.start();
    List<String> flags =
        Stream.concat(start.jvmFlags().stream(), variant.jvmFlags().stream()).toList();
    try (Rig rig = bench.open(scenario.withStart(start.withJvmFlags(flags)))) {
      bench.progress().phase("warm-up");
      rig.step(rate(), bench.seconds(warmUpSeconds));
      long beganMs = System.currentTimeMillis();
      double began = rig.watch().seconds();
      bench.progress().phase(variant.name());
      Step step = rig.step(rate(), Math.max(1, records / bench.shorten() / rate()));
      double ended = rig.watch().seconds();
      double stored = rig.awaitStored(bench.seconds(drainSeconds));
      List<GcLog.Pause> during =
          rig.pauses().stream().filter(pause -> pause.epochMs() >= beganMs).toList();
      LongRunRow run = new LongRunRow(variant, step, stored - began, ended - began, during);
      rows.add(run.row(rig.watch().series()));
      run.put(figures);
      bench.progress().line(step.line(scenario.goal()));
      List<RunPhase> phases = List.of(new RunPhase(variant.name(), step.from(), step.to()));
      boolean holds = step.broken(scenario.goal()).isEmpty() && !Double.isNaN(stored);
      return Findings.of(rig, List.of(), Map.of(), List.of(), phases, holds);
    }
  }
}
