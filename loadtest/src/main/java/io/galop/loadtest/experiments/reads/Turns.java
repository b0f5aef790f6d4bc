package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.run.Bench;
import io.galop.loadtest.targets.ProcessCost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Asks all servers in turn, round after round. */
final class Turns {
  private static final long OWN_PID = ProcessHandle.current().pid();
  private static final double HALF = 0.5;

  private final Pace pace;
  private final Bench bench;
  private final Readings readings;
  private final List<Result> results = new ArrayList<>();

  /**
   * How long each server is asked.
   *
   * @param warmUpSeconds before the rounds, in a closed loop
   * @param closedSeconds of a turn in a closed loop
   * @param ratePerSecond of the open model that follows
   * @param rateSeconds how long that takes
   */
  record Pace(
      int rounds,
      double warmUpSeconds,
      double closedSeconds,
      double ratePerSecond,
      double rateSeconds) {}

  private interface Load {
    ReadTally run(Readers readers) throws IOException, InterruptedException;
  }

  Turns(Pace pace, Bench bench, List<ReadSubject> subjects, Readings readings) {
    this.pace = pace;
    this.bench = bench;
    this.readings = readings;
    subjects.forEach(subject -> results.add(new Result(subject)));
  }

  List<Result> results() {
    return results;
  }

  /** Until code is compiled; threads are bound in the middle, when all are there. */
  void warmUp() throws IOException, InterruptedException {
    double seconds = HALF * bench.seconds(pace.warmUpSeconds());
    for (Result result : results) {
      ReadSubject subject = result.subject();
      readings.begin(subject, "warm-up", Double.NaN);
      subject.readers().askOn(seconds);
      if (subject.binding() == Binding.BOUND) {
        result.onBound(Cores.bind(subject.pid()));
      }
      subject.readers().askOn(seconds);
      readings.end();
    }
  }

  /** All rounds. */
  void run() throws IOException, InterruptedException {
    for (Result result : results) {
      result.onBegin(result.subject().answersInItsWay());
    }
    List<Result> order = new ArrayList<>(results);
    for (int round = 0; round < pace.rounds(); round++) {
      for (Result result : order) {
        turn(result);
      }
      Collections.reverse(order);
    }
    for (Result result : results) {
      result.onEnd(result.subject().answersInItsWay());
    }
  }

  private void turn(Result result) throws IOException, InterruptedException {
    double closed = bench.seconds(pace.closedSeconds());
    double open = bench.seconds(pace.rateSeconds());
    double rate = pace.ratePerSecond();
    ReadSubject subject = result.subject();
    readings.begin(subject, "closed loop", Double.NaN);
    one(subject, result.closed(), readers -> readers.askOn(closed));
    readings.begin(subject, String.format(Locale.ROOT, "%,.0f/s", rate), rate);
    one(subject, result.open(), readers -> readers.askAt(rate, open));
    bench.progress().line(result.line());
  }

  private void one(ReadSubject subject, LoadOutcome outcome, Load load)
      throws IOException, InterruptedException {
    ProcessCost server = ProcessCost.of(subject.pid());
    long own = ProcessCost.cpuMicros(OWN_PID);
    long start = System.nanoTime();
    ReadTally tally = load.run(subject.readers());
    double seconds = (System.nanoTime() - start) / 1e9;
    ProcessCost spent = ProcessCost.of(subject.pid()).since(server);
    outcome.add(tally, seconds, spent, ProcessCost.cpuMicros(OWN_PID) - own);
    readings.end();
  }
}
