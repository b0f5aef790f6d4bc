package io.galop.loadtest.report;

import io.galop.loadtest.run.Findings;
import io.galop.loadtest.watch.GcLog;
import io.galop.loadtest.watch.Series;
import io.galop.loadtest.watch.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The plots of a run. */
final class Plots {
  static final String RATE = "Rate";
  static final String QUESTIONS = "Questions";
  static final String ANSWERS = "Latency of answers";
  static final String LIVE = "Latency, door to viewer";
  static final String PAUSES = "Pauses of the collectors";

  private final Series series;
  private final double[] seconds;
  private final List<Plot> all = new ArrayList<>();

  private Plots(Series series) {
    this.series = series;
    this.seconds = series.column(Series.SECONDS);
  }

  static List<Plot> of(Findings findings) {
    Plots plots = new Plots(findings.series());
    plots.add(RATE, "records/s", "asked", "sent", "acked", "seen", "storedPerSecond");
    plots.add(QUESTIONS, "1/s", "questions", "answers");
    plots.add(ANSWERS, "ms", "answerP50Ms", "answerP99Ms");
    plots.add(LIVE, "ms", "liveP50Ms", "liveP99Ms");
    plots.add("Latency, door to acknowledgement", "ms", "ackP50Ms", "ackP99Ms");
    plots.add("Sent and not acknowledged", "records", "backlog");
    plots.add("Waiting in the stages", "MB", waiting());
    plots.add("Busy", "threads", "fsyncBusy", "scriptBusy");
    plots.add("Time of one", "ms", "fsyncMs", "scriptMs");
    plots.add("Store lag", "records", lags(findings.series()));
    plots.add("Processors used", "", "serverProcessors", "ownProcessors");
    plots.add("Memory", "MB", "heapMb", "residentMb");
    plots.pauses(findings);
    plots.add("Allocation", "MB/s", "allocatedMbPerSecond");
    plots.add("Context switches of the nodes", "1/s", "waitsPerSecond", "preemptionsPerSecond");
    plots.add("Connections of viewers", "", "connections");
    plots.add("Sockets, both ends", "", "established", "finWait2", "closeWait", "timeWait");
    plots.add("Threads of the nodes", "", "threads");
    return plots.all.stream().filter(plot -> !plot.isEmpty()).toList();
  }

  private static String[] waiting() {
    return Arrays.stream(Stage.values()).map(Stage::waiting).toArray(String[]::new);
  }

  private static String[] lags(Series series) {
    return series.columns().stream().filter(name -> name.startsWith("lag ")).toArray(String[]::new);
  }

  private void add(String title, String unit, String... columns) {
    Plot plot = new Plot(title, unit);
    for (String column : columns) {
      plot.add(new Plot.Line(column, seconds, series.column(column), true));
    }
    all.add(plot);
  }

  private void pauses(Findings findings) {
    List<GcLog.Pause> during =
        findings.pauses().stream().filter(p -> p.epochMs() >= findings.startEpochMs()).toList();
    double[] x = new double[during.size()];
    double[] y = new double[during.size()];
    for (int i = 0; i < x.length; i++) {
      x[i] = (during.get(i).epochMs() - findings.startEpochMs()) / 1e3;
      y[i] = during.get(i).ms();
    }
    all.add(new Plot(PAUSES, "ms").add(new Plot.Line("pause", x, y, false)));
  }
}
