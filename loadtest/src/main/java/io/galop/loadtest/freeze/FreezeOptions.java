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
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin NodeOptions node;

  @Option(
      names = "--freeze-seconds",
      split = ",",
      defaultValue = "5,35,120",
      description = "How long, one cluster after the other. Default: ${DEFAULT-VALUE}.")
  List<Integer> freezeSeconds;

  @Option(
      names = "--nodes",
      defaultValue = "3",
      description =
          "The first has all roles, the others only broadcast; the last is frozen. Default:"
              + " ${DEFAULT-VALUE}.")
  int nodes;

  @Option(
      names = "--viewers",
      defaultValue = "2",
      description =
          "Of each node, each with all messages. More may leave the machine nothing to catch up with."
              + " Default: ${DEFAULT-VALUE}.")
  int viewers;

  @Option(
      names = "--megabytes-per-second",
      defaultValue = "5",
      description = "Of data that is published. Default: ${DEFAULT-VALUE}.")
  double megabytesPerSecond;

  @Option(
      names = "--bytes",
      defaultValue = "1000",
      description = "Of a message's data. Default: ${DEFAULT-VALUE}.")
  int bytes;

  @Option(
      names = "--topics",
      defaultValue = "100",
      description = "Over how many topics messages go. Default: ${DEFAULT-VALUE}.")
  int topics;

  @Option(
      names = "--warm-up-seconds",
      defaultValue = "60",
      description =
          "Before anything counts: several cold JVMs fall behind at first. Default:"
              + " ${DEFAULT-VALUE}.")
  int warmUpSeconds;

  @Option(
      names = "--baseline-seconds",
      defaultValue = "20",
      description = "How long all is well before. Default: ${DEFAULT-VALUE}.")
  int baselineSeconds;

  @Option(
      names = "--after-seconds",
      defaultValue = "20",
      description = "How long messages go on after it has woken. Default: 20.")
  int afterSeconds;

  @Option(
      names = "--patience-seconds",
      defaultValue = "60",
      description = "How long its viewers may then take to catch up. Default: 60.")
  int patienceSeconds;

  @Option(names = "--runs", defaultValue = "1", description = "Medians are judged. Default: 1.")
  int runs;

  @Option(
      names = "--max-heap-growth-mb",
      defaultValue = "64",
      description = "Of the first node, collected. Default: 64.")
  int maxHeapGrowthMb;

  @Option(
      names = "--json",
      defaultValue = "freeze.json",
      description = "Where the figures are written too. Default: freeze.json.")
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
