package io.galop.loadtest.run;

import io.galop.loadtest.watch.GcLog;
import io.galop.loadtest.watch.RunWatch;
import io.galop.loadtest.watch.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What several rigs, one after the other, have seen, as one run for the plots. */
final class Course {
  private final Series series = new Series();
  private final List<RunPhase> phases = new ArrayList<>();
  private final List<GcLog.Pause> pauses = new ArrayList<>();
  private long startEpochMs;

  /** Another, before it is closed. */
  void add(String name, Rig rig) throws IOException {
    RunWatch watch = rig.watch();
    if (phases.isEmpty()) {
      startEpochMs = watch.startEpochMs();
    }
    double from = (watch.startEpochMs() - startEpochMs) / 1e3;
    series.append(watch.series(), from);
    phases.add(new RunPhase(name, from, from + watch.seconds()));
    pauses.addAll(rig.pauses());
  }

  Findings findings(
      List<String> sentences, Map<String, Double> figures, List<Table> tables, boolean complete) {
    return new Findings(
        sentences, figures, tables, series, startEpochMs, phases, pauses, List.of(), complete);
  }
}
