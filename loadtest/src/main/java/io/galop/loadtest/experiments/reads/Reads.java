package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.run.Bench;
import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.Measure;
import io.galop.loadtest.scenario.Default;
import io.galop.loadtest.scenario.Doc;
import io.galop.loadtest.scenario.Range;
import java.io.IOException;
import java.util.List;

/** Questions about the past from memory, answered in several ways, turn about. */
public record Reads(
    @Doc("Where the answer comes from, and on which threads.")
        @Default("[cached-buffer, event-loop, worker-pool]")
        List<Way> ways,
    @Doc("Event loops of the nodes, one number after the other.")
        @Default("[1, 2]")
        @Range(from = 1, to = 64)
        List<Integer> eventLoops,
    @Doc("Whether answering threads run on any core, or each on a fixed one.")
        @Default("[free, bound]")
        List<Binding> threads,
    @Doc("Threads of the worker pool.") @Default("1") @Range(from = 1, to = 64) int workers,
    @Doc("Records in memory.") @Default("20000") @Range(from = 1, to = 10_000_000) int stored,
    @Doc("Number of topics, in turn; queries ask for the first.")
        @Default("100")
        @Range(from = 1, to = 1_000_000)
        int topics,
    @Doc("Newest records per answer.") @Default("100") @Range(from = 1, to = 10_000) int records,
    @Doc("Connections of the clients.") @Default("16") @Range(from = 1, to = 10_000)
        int connections,
    @Doc("Warm-up of each variant in a closed loop.") @Default("4") @Range(from = 0, to = 600)
        double warmUpSeconds,
    @Doc("Duration of the closed loop.") @Default("2") @Range(from = 0.5, to = 3_600)
        double closedSeconds,
    @Doc("Queries per second in the open model that follows.")
        @Default("1000")
        @Range(from = 1, to = 1_000_000)
        double ratePerSecond,
    @Doc("Its duration.") @Default("4") @Range(from = 0.5, to = 3_600) double rateSeconds,
    @Doc("Rounds; every other one in reverse order.") @Default("3") @Range(from = 1, to = 100)
        int rounds)
    implements Measure {

  public Reads {
    if (ways.isEmpty() || eventLoops.isEmpty() || threads.isEmpty()) {
      throw new IllegalArgumentException("ways, eventLoops and threads must not be empty");
    }
    if (stored / topics < records) {
      throw new IllegalArgumentException(
          "records is %d, but a topic has only stored / topics = %d"
              .formatted(records, stored / topics));
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
