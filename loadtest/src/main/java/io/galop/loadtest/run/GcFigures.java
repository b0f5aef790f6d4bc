package io.galop.loadtest.run;

import io.galop.loadtest.watch.GcLog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What garbage collection did to a run, as figures. */
final class GcFigures {
  private GcFigures() {}

  /** Of the time since the watch began; nothing of nodes that were not started here. */
  static Map<String, Double> of(Rig rig, List<GcLog.Pause> pauses) {
    Map<String, Double> figures = new LinkedHashMap<>();
    if (rig.site().gcLogs().isEmpty()) {
      return figures;
    }
    long start = rig.watch().startEpochMs();
    List<GcLog.Pause> during = pauses.stream().filter(pause -> pause.epochMs() >= start).toList();
    figures.put("gcPauses", (double) during.size());
    figures.put("gcPauseP999Ms", GcLog.percentileMs(during, 99.9));
    figures.put("gcPauseMaxMs", GcLog.percentileMs(during, 100));
    figures.put(
        "gcThroughputPercent",
        GcLog.throughputPercent(during, rig.watch().seconds() * rig.site().gcLogs().size()));
    return figures;
  }
}
