package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.run.RunPhase;
import io.galop.loadtest.run.RunProgress;
import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.watch.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Looks at whoever is being asked, at regular times, for the plots and the line of progress. */
final class Readings implements AutoCloseable {
  private static final long EVERY_MS = 500;
  private static final long OWN_PID = ProcessHandle.current().pid();

  private final RunProgress progress;
  private final Series series = new Series();
  private final List<RunPhase> phases = new ArrayList<>();
  private final long startNanos = System.nanoTime();
  private final long startEpochMs = System.currentTimeMillis();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private @Nullable ReadSubject subject;
  private String what = "";
  private double asked;
  private double from;
  private @Nullable Moment last;

  private record Moment(long nanos, ProcessCost server, long ownMicros) {
    static Moment of(ReadSubject subject) throws IOException {
      ProcessCost server = ProcessCost.of(subject.pid());
      return new Moment(System.nanoTime(), server, ProcessCost.cpuMicros(OWN_PID));
    }
  }

  Readings(RunProgress progress) {
    this.progress = progress;
    thread.scheduleAtFixedRate(this::sample, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
  }

  /**
   * Another is being asked from now on.
   *
   * @param how in words
   * @param askedPerSecond NaN where each asks when it can
   */
  synchronized void begin(ReadSubject now, String how, double askedPerSecond) throws IOException {
    subject = now;
    what = now.label() + ", " + how;
    asked = askedPerSecond;
    from = seconds();
    now.readers().takeLatencies();
    last = Moment.of(now);
    progress.phase(what);
  }

  /** Nobody is. */
  synchronized void end() {
    phases.add(new RunPhase(what, from, seconds()));
    subject = null;
  }

  private double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private synchronized void sample() {
    if (subject == null || last == null) {
      return;
    }
    try {
      Moment before = last;
      Moment now = Moment.of(subject);
      Histogram latencies = subject.readers().takeLatencies();
      double took = (now.nanos - before.nanos) / 1e9;
      Map<String, Double> row = new HashMap<>();
      row.put(Series.SECONDS, seconds());
      row.put("questions", asked);
      row.put("answers", latencies.getTotalCount() / took);
      row.put("answerP50Ms", Latencies.ms(latencies, 50));
      row.put("answerP99Ms", Latencies.ms(latencies, 99));
      costs(row, now, before, took);
      series.add(row);
      last = now;
      progress.now(words(row));
    } catch (IOException | RuntimeException e) {
      // The server has ended; who asks it notices for himself.
      subject = null;
    }
  }

  private void costs(Map<String, Double> row, Moment now, Moment before, double took) {
    ProcessCost spent = now.server.since(before.server);
    row.put("serverProcessors", spent.cpuMicros() / 1e6 / took);
    row.put("ownProcessors", (now.ownMicros - before.ownMicros) / 1e6 / took);
    row.put("waitsPerSecond", spent.waits() / took);
    row.put("preemptionsPerSecond", spent.preemptions() / took);
  }

  private String words(Map<String, Double> row) {
    return String.format(
        Locale.ROOT,
        "%6.0f s  %s: %,.0f answers/s  p99 %.1f ms  CPU %.2f + %.2f",
        row.get(Series.SECONDS),
        what,
        row.get("answers"),
        row.get("answerP99Ms"),
        row.get("serverProcessors"),
        row.get("ownProcessors"));
  }

  Series series() {
    return series;
  }

  long startEpochMs() {
    return startEpochMs;
  }

  List<RunPhase> phases() {
    return phases;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
