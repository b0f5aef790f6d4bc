package io.galop.loadtest.freeze;

import io.galop.loadtest.compare.NodeOptions;
import io.galop.loadtest.latency.Load;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code freeze}. */
final class FreezeOptions {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin final NodeOptions node = new NodeOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--freeze-seconds",
      split = ",",
      defaultValue = "5,35,120",
      description =
          "Durations of the freeze, with a new cluster for each. Default: ${DEFAULT-VALUE}.")
  List<Integer> freezeSeconds;

  @Option(
      names = "--nodes",
      defaultValue = "3",
      description =
          "Nodes: the first has all roles, the others only broadcast, and the last is frozen."
              + " Default: ${DEFAULT-VALUE}.")
  int nodes;

  @Option(
      names = "--viewers",
      defaultValue = "2",
      description =
          "Viewers of each node, each with all messages. More may leave the machine no time to"
              + " catch up. Default: ${DEFAULT-VALUE}.")
  int viewers;

  @Option(
      names = "--megabytes-per-second",
      defaultValue = "5",
      description = "Published data a second. Default: ${DEFAULT-VALUE}.")
  double megabytesPerSecond;

  @Option(
      names = "--bytes",
      defaultValue = "1000",
      description = "Bytes of a message's data. Default: ${DEFAULT-VALUE}.")
  int bytes;

  @Option(
      names = "--topics",
      defaultValue = "100",
      description = "Topics, used in turn. Default: ${DEFAULT-VALUE}.")
  int topics;

  @Option(
      names = "--warm-up-seconds",
      defaultValue = "60",
      description =
          "Warm-up, since several cold JVMs fall behind at first. Default: ${DEFAULT-VALUE}.")
  int warmUpSeconds;

  @Option(
      names = "--baseline-seconds",
      defaultValue = "20",
      description = "Measured time before the freeze. Default: ${DEFAULT-VALUE}.")
  int baselineSeconds;

  @Option(
      names = "--after-seconds",
      defaultValue = "20",
      description = "How long messages continue after the freeze. Default: ${DEFAULT-VALUE}.")
  int afterSeconds;

  @Option(
      names = "--patience-seconds",
      defaultValue = "60",
      description =
          "How long viewers of the frozen node may then take to catch up. Default:"
              + " ${DEFAULT-VALUE}.")
  int patienceSeconds;

  @Option(
      names = "--runs",
      defaultValue = "1",
      description = "Runs; the medians are judged. Default: 1.")
  int runs;

  @Option(
      names = "--max-heap-growth-mb",
      defaultValue = "64",
      description =
          "Most growth of the first node's heap after a full collection. Default:"
              + " ${DEFAULT-VALUE}.")
  int maxHeapGrowthMb;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--json",
      defaultValue = "freeze.json",
      description = "File for the figures. Default: ${DEFAULT-VALUE}.")
  Path json;

  void check() {
    require(nodes >= 2, "--nodes is from 2 on");
    require(viewers >= 1 && runs >= 1 && topics >= 1, "--viewers, --runs, --topics are from 1 on");
    require(bytes >= 60 && bytes <= 1 << 20, "--bytes is from 60 to 1048576");
    require(megabytesPerSecond > 0 && rate() <= 100_000, "more than 100000 messages a second");
    require(
        freezeSeconds.stream().allMatch(seconds -> seconds >= 1), "--freeze-seconds is from 1 on");
    require(
        warmUpSeconds >= 1 && baselineSeconds >= 1 && afterSeconds >= 1 && patienceSeconds >= 1,
        "--warm-up-seconds, --baseline-seconds, --after-seconds, --patience-seconds are from 1 on");
  }

  private void require(boolean isRight, String rule) {
    if (!isRight) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  private double rate() {
    return megabytesPerSecond * 1e6 / bytes;
  }

  Load load() {
    return new Load(viewers * nodes, rate(), 1, 0, bytes, topics, 0);
  }
}
