package io.galop.loadtest.run;

import io.galop.loadtest.watch.GcLog;
import io.galop.loadtest.watch.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a run; all of it is in the report.
 *
 * @param sentences what was found, the most important first
 * @param figures by name, which {@code --fail-if} and {@code compare} use
 * @param tables in their order
 * @param series samples over the run; empty if there was no single run
 * @param startEpochMs when the series began
 * @param phases of the series
 * @param pauses of the nodes' garbage collectors
 * @param bars what is to be seen side by side
 * @param isComplete whether what should have been done was: if not, the command ends with 1
 */
public record Findings(
    List<String> sentences,
    Map<String, Double> figures,
    List<Table> tables,
    Series series,
    long startEpochMs,
    List<RunPhase> phases,
    List<GcLog.Pause> pauses,
    List<Bars> bars,
    boolean isComplete) {

  /** Of a kind of scenario that has no single run. */
  public static Findings of(
      List<String> sentences,
      Map<String, Double> figures,
      List<Table> tables,
      List<Bars> bars,
      boolean complete) {
    return new Findings(
        sentences, figures, tables, new Series(), 0, List.of(), List.of(), bars, complete);
  }

  /** Of one run. */
  static Findings of(
      Rig rig,
      List<String> sentences,
      Map<String, Double> figures,
      List<Table> tables,
      List<RunPhase> phases,
      boolean complete)
      throws java.io.IOException {
    List<GcLog.Pause> pauses = rig.pauses();
    Map<String, Double> all = new LinkedHashMap<>(figures);
    all.putAll(GcFigures.of(rig, pauses));
    List<String> words = new ArrayList<>(sentences);
    return new Findings(
        words,
        all,
        tables,
        rig.watch().series(),
        rig.watch().startEpochMs(),
        phases,
        pauses,
        List.of(),
        complete);
  }
}
