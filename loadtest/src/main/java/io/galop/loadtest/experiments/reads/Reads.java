package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.run.Bench;
import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.Measure;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.io.IOException;
import java.util.List;

/** Questions about the past from memory, answered in several ways, turn about. */
public record Reads(
    @Doc("Where answers come from.") @Default("[cached-buffer, event-loop, worker-pool]")
        List<Way> ways,
    @Doc("Event loops of the nodes.") @Default("[1, 2]") @Range(min = 1, max = 64)
        List<Integer> eventLoops,
    @Doc("Whether threads may change cores.") @Default("[free, bound]") List<Binding> threads,
    @Doc("Threads of the worker pool.") @Default("1") @Range(min = 1, max = 64) int workers,
    @Doc("Records in memory.") @Default("20000") @Range(min = 1, max = 10_000_000) int stored,
    @Doc("Topics; queries ask for the first.") @Default("100") @Range(min = 1, max = 1_000_000)
        int topics,
    @Doc("Newest records per answer.") @Default("100") @Range(min = 1, max = 10_000) int records,
    @Doc("Connections of the clients.") @Default("16") @Range(min = 1, max = 10_000)
        int connections,
    @Doc("Warm-up time.") @Default("4") @Range(min = 0, max = 600) double warmUpSeconds,
    @Doc("Duration of the closed loop.") @Default("2") @Range(min = 0.5, max = 3_600)
        double closedSeconds,
    @Doc("Queries per second with due times.") @Default("1000") @Range(min = 1, max = 1_000_000)
        double ratePerSecond,
    @Doc("Its duration.") @Default("4") @Range(min = 0.5, max = 3_600) double rateSeconds,
    @Doc("Rounds.") @Default("3") @Range(min = 1, max = 100) int rounds)
    implements Measure {

  public Reads {
    requireSome("ways", ways);
    requireSome("eventLoops", eventLoops);
    requireSome("threads", threads);
    if (stored / topics < records) {
      throw new IllegalArgumentException(
          "records must not be above stored / topics, %d > %d".formatted(records, stored / topics));
    }
  }

  private static void requireSome(String key, List<?> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException(key + " must name at least one");
    }
  }

  @Override
  public boolean needsStart() {
    return true;
  }

  @Override
  public Findings run(Bench bench) throws IOException, InterruptedException {
    if (threads.contains(Binding.BOUND)) {
      Cores.require();
    }
    try (ReadSubjects subjects = new ReadSubjects(this, bench);
        Readings readings = new Readings(bench.progress())) {
      subjects.start();
      Turns turns = new Turns(pace(), bench, subjects.all(), readings);
      turns.warmUp();
      turns.run();
      return new ReadsReport(this, turns.results()).findings(readings);
    }
  }

  private Turns.Pace pace() {
    return new Turns.Pace(rounds, warmUpSeconds, closedSeconds, ratePerSecond, rateSeconds);
  }
}
