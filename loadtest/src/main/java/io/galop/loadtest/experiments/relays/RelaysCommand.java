package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.compare.NodeOptions;
import io.galop.loadtest.latency.Load;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** No relay, one that wants everything, and many that want a part, turn about. */
@Command(
    name = "relays",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the processor time that relays take on the node that feeds them over TLS:",
      "none, one whose viewer watches all topics, and many whose viewers watch a part each.",
      "With --levels instead how late records are at each level of relays behind relays: each",
      "process has a viewer of all topics, and is dialled by two of the level before. With --kill",
      "too one process of each level is killed and started again, while viewers watch the leaves."
    },
    footer = {
      "",
      "Each case has a storing node of its own; all figures are medians over the turns. Exit code 1"
          + " if a",
      "viewer lacks a record. With --kill also if one was lost, doubled, shown twice or silently",
      "missing, or not all worked again in time; who was told that records are missing is counted."
    })
public final class RelaysCommand implements Callable<Integer> {
  private static final int MOST_NODES = 64;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private final NodeOptions node = new NodeOptions();

  @Option(
      names = "--relays",
      defaultValue = "32",
      description = "Relays that want a part. Default: ${DEFAULT-VALUE}.")
  private int relays;

  @Option(names = "--levels", split = ",", description = "Relays of each level, as in 4,12.")
  private List<Integer> levels = new ArrayList<>();

  @Option(
      names = "--watched",
      defaultValue = "3",
      description = "Topics that the viewer of each of them watches. Default: ${DEFAULT-VALUE}.")
  private int watched;

  @Option(
      names = "--topics",
      defaultValue = "100",
      description = "Topics, used in turn. Default: ${DEFAULT-VALUE}.")
  private int topics;

  @Option(
      names = "--rate",
      defaultValue = "2000",
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
      description = "Turns of each case. Default: ${DEFAULT-VALUE}.")
  private int turns;

  @Mixin private final KillOptions kill = new KillOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    require(relays >= 1 && watched >= 1 && turns >= 1, "--relays, --watched, --turns: 1 or more");
    require(relays * watched <= topics, "--topics is at least --relays times --watched");
    require(rate >= 1 && rate <= 50_000 && bytes >= 60, "--rate is 1 to 50000, --bytes from 60 on");
    require(seconds >= 1 && warmUpSeconds >= 1, "--seconds and --warm-up-seconds are from 1 on");
    String wrong = kill.wrong(!levels.isEmpty());
    require(wrong.isEmpty(), wrong);
    return levels.isEmpty() ? measureCases() : tree();
  }

  private int tree() throws IOException, InterruptedException {
    TreeShape shape = new TreeShape(levels, !kill.isWanted);
    require(levels.stream().allMatch(n -> n >= 1), "--levels are 1 or more relays each");
    require(shape.nodes() <= MOST_NODES, "--levels are at most " + MOST_NODES + " processes");
    if (kill.isWanted) {
      return TreeKills.run(node.galop(1), shape, load(), kill).print() ? 0 : 1;
    }
    List<TreeTurn> all = new ArrayList<>();
    for (int turn = 1; turn <= turns; turn++) {
      all.add(TreeTurn.run(node.galop(1), shape, load()));
      System.err.printf("turn %d of %d%n", turn, turns);
    }
    TreeReport.print(shape, all);
    return all.stream().allMatch(TreeTurn::isWhole) ? 0 : 1;
  }

  private int measureCases() throws IOException, InterruptedException {
    Map<String, List<RelayTurn>> turnsOf = new LinkedHashMap<>();
    for (int turn = 1; turn <= turns; turn++) {
      for (Map.Entry<String, List<List<String>>> one : cases().entrySet()) {
        RelayTurn measured = RelayTurn.run(node.galop(1), one.getValue(), load());
        turnsOf.computeIfAbsent(one.getKey(), name -> new ArrayList<>()).add(measured);
        System.err.printf("turn %d of %d, %s: %s%n", turn, turns, one.getKey(), measured);
      }
    }
    print(turnsOf);
    return turnsOf.values().stream().flatMap(List::stream).allMatch(RelayTurn::isWhole) ? 0 : 1;
  }

  private void require(boolean isRight, String rule) {
    if (!isRight) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  private Load load() {
    return new Load(1, rate, seconds, warmUpSeconds, bytes, topics, 0);
  }

  /** For each relay of a case the filters that its viewer registers. */
  private Map<String, List<List<String>>> cases() {
    List<List<String>> parts = new ArrayList<>();
    for (int relay = 0; relay < relays; relay++) {
      List<String> filters = new ArrayList<>();
      for (int i = 0; i < watched; i++) {
        filters.add("load/" + (relay * watched + i));
      }
      parts.add(filters);
    }
    Map<String, List<List<String>>> cases = new LinkedHashMap<>();
    cases.put("none", List.of());
    cases.put("one, all topics", List.of(List.of(RelayTurn.ALL)));
    cases.put(relays + ", " + watched + " of " + topics + " topics each", parts);
    return cases;
  }

  private static void print(Map<String, List<RelayTurn>> turnsOf) {
    System.out.printf(
        "%-32s %14s %14s %10s%n", "relays", "us a record", "bytes a record", "lacking");
    turnsOf.forEach(
        (name, all) ->
            System.out.printf(
                Locale.ROOT,
                "%-32s %14.1f %14.0f %10d%n",
                name,
                median(all.stream().mapToDouble(RelayTurn::microsPerRecord).sorted().toArray()),
                median(all.stream().mapToDouble(RelayTurn::bytesPerRecord).sorted().toArray()),
                all.stream().mapToLong(RelayTurn::lacking).sum()));
  }

  private static double median(double[] sorted) {
    return sorted[sorted.length / 2];
  }
}
