package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.compare.NodeOptions;
import io.galop.loadtest.latency.Load;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How much later the viewers of each level of relays are. */
@Command(
    name = "tree",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how late records are at each level of relays behind relays, over TLS: a storing",
      "node, the relays that it dials, those that these dial, and so on. Each has a viewer of all",
      "topics, and each relay behind the first level is dialled by two."
    },
    footer = {"", "Medians over the turns. Exit code 1 if a viewer lacks a record."})
public final class TreeCommand implements Callable<Integer> {
  private static final int MOST_NODES = 64;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private final NodeOptions node = new NodeOptions();

  @Option(
      names = "--levels",
      split = ",",
      defaultValue = "4,12",
      description = "Relays of each level. Default: ${DEFAULT-VALUE}.")
  private List<Integer> levels = new ArrayList<>();

  @Option(
      names = "--rate",
      defaultValue = "200",
      description = "Records a second. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--bytes",
      defaultValue = "290",
      description = "Bytes of a record's data. Default: ${DEFAULT-VALUE}.")
  private int bytes;

  @Option(
      names = "--seconds",
      defaultValue = "30",
      description = "Measured time of a turn. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--warm-up-seconds",
      defaultValue = "30",
      description = "Time before. Default: ${DEFAULT-VALUE}.")
  private int warmUpSeconds;

  @Option(
      names = "--turns",
      defaultValue = "3",
      description = "How often. Default: ${DEFAULT-VALUE}.")
  private int turns;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TreeShape shape = new TreeShape(levels, true);
    require(levels.stream().allMatch(n -> n >= 1), "--levels are 1 or more relays each");
    require(shape.nodes() <= MOST_NODES, "--levels are at most " + MOST_NODES + " in all");
    require(rate >= 1 && rate <= 50_000 && bytes >= 60, "--rate is 1 to 50000, --bytes from 60 on");
    require(
        seconds >= 1 && warmUpSeconds >= 1 && turns >= 1,
        "--seconds, --warm-up-seconds, --turns: 1 or more");
    List<TreeTurn> all = new ArrayList<>();
    for (int turn = 1; turn <= turns; turn++) {
      Load load = new Load(1, rate, seconds, warmUpSeconds, bytes, 100, 0);
      all.add(TreeTurn.run(node.galop(1), shape, load));
      System.err.printf("turn %d of %d%n", turn, turns);
    }
    print(shape, all);
    return all.stream().allMatch(TreeTurn::isWhole) ? 0 : 1;
  }

  private void require(boolean isRight, String rule) {
    if (!isRight) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  private static void print(TreeShape shape, List<TreeTurn> all) {
    System.out.printf(
        "%-6s %10s %10s %10s %10s%n", "level", "processes", "p50 ms", "p99 ms", "lacking");
    for (int level = 0; level <= shape.levels().size(); level++) {
      int at = level;
      System.out.printf(
          Locale.ROOT,
          "%-6d %10d %10.2f %10.2f %10d%n",
          level,
          shape.of(level).size(),
          median(all.stream().mapToDouble(turn -> turn.ms(at, 50)).sorted().toArray()),
          median(all.stream().mapToDouble(turn -> turn.ms(at, 99)).sorted().toArray()),
          all.stream().mapToLong(turn -> turn.lacking().get(at)).sum());
    }
  }

  private static double median(double[] sorted) {
    return sorted[sorted.length / 2];
  }
}
