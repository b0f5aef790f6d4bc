package io.galop.loadtest.chaos;

import io.galop.loadtest.compare.NodeOptions;
import io.galop.loadtest.scenario.StoreWord;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.RelayKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code chaos}. */
final class ChaosOptions {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin final NodeOptions node = new NodeOptions();

  @Option(
      names = "--storing",
      defaultValue = "2",
      description = "Nodes that accept, enrich and store. Default: ${DEFAULT-VALUE}.")
  int storing;

  @Option(
      names = "--fronts",
      defaultValue = "1",
      description = "Nodes that only broadcast. Default: ${DEFAULT-VALUE}.")
  int fronts;

  @Option(
      names = "--relays",
      defaultValue = "0",
      description =
          "Nodes beyond a border that storing nodes dial, over TLS, and that may open no connection;"
              + " needs nft. Default: ${DEFAULT-VALUE}.")
  int relays;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--ack",
      defaultValue = "disk",
      description = "persist.ack of the nodes: disk or replica. Default: ${DEFAULT-VALUE}.")
  String ack;

  @Option(
      names = "--stores",
      split = ",",
      description =
          "Real servers to start too: redis, mariadb. Default: both if store is among the faults,"
              + " else none.")
  @Nullable List<StoreWord> stores;

  @Option(names = "--seed", description = "Determines the faults. Default: a new seed each time.")
  @Nullable Long seed;

  @Option(
      names = "--minutes",
      defaultValue = "2",
      description = "Time during which faults begin. Default: ${DEFAULT-VALUE}.")
  double minutes;

  @Option(
      names = "--rounds",
      description = "Instead of --minutes: end when each kind of fault has happened this often.")
  int rounds;

  @Option(
      names = "--shorten",
      defaultValue = "1",
      description = "Divides the duration of faults. Default: ${DEFAULT-VALUE}.")
  double shorten;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--faults",
      split = ",",
      defaultValue = "KILL,FREEZE,JOIN,ROLL,CUT,DISK,CLOCK,STORE",
      description =
          "Some of kill, freeze, join, roll, cut, disk, clock, store. Default: all. cut needs nft,"
              + " clock a C compiler.")
  List<FaultKind> faults;

  @Option(
      names = "--rate",
      defaultValue = "200",
      description = "Records a second of all publishers together. Default: ${DEFAULT-VALUE}.")
  double rate;

  @Option(
      names = "--topics",
      defaultValue = "64",
      description = "Topics, used in turn. Default: ${DEFAULT-VALUE}.")
  int topics;

  @Option(
      names = "--publishers",
      defaultValue = "3",
      description = "Publishers, over tcp, http and mqtt in turn. Default: ${DEFAULT-VALUE}.")
  int publishers;

  @Option(
      names = "--viewers",
      defaultValue = "4",
      description =
          "Viewers of each broadcast node and relay, over websocket, polling and a stream of lines"
              + " in turn. The first two of each four stay, the others come and go. Default:"
              + " ${DEFAULT-VALUE}.")
  int viewers;

  @Option(
      names = "--heal-seconds",
      defaultValue = "20",
      description =
          "Time after the end of each fault in which everything must work again. Default:"
              + " ${DEFAULT-VALUE}.")
  int healSeconds;

  @Option(names = "--json", description = "File for the report.")
  @Nullable Path json;

  @Option(
      names = "--logs",
      paramLabel = "DIR",
      description = "Directory for the nodes' logs, which are otherwise deleted.")
  @Nullable Path logs;

  void check() {
    require(storing >= 1, "--storing is from 1 on");
    require(fronts >= 0 && relays >= 0, "--fronts and --relays are from 0 on");
    require(fronts + relays >= 1, "somebody must broadcast: --fronts or --relays");
    require(ack.equals("disk") || ack.equals("replica"), "--ack is disk or replica");
    require(!ack.equals("replica") || storing > 1, "--ack replica needs --storing 2 at least");
    require(minutes > 0 && rounds >= 0, "--minutes is above 0, --rounds not below");
    require(shorten >= 1, "--shorten is from 1 on");
    require(rate > 0 && rate <= 5_000 && topics >= 1, "--rate is up to 5000, --topics from 1 on");
    require(publishers >= 1 && viewers >= 1, "--publishers and --viewers are from 1 on");
    require(
        Set.of(StoreWord.REDIS, StoreWord.MARIADB).containsAll(stores()),
        "--stores are redis and mariadb");
    require(
        !faults.contains(FaultKind.STORE) || !stores().isEmpty(), "the fault store wants --stores");
  }

  List<StoreWord> stores() {
    if (stores != null) {
      return stores;
    }
    return faults.contains(FaultKind.STORE)
        ? List.of(StoreWord.REDIS, StoreWord.MARIADB)
        : List.of();
  }

  /** Of the run inside, to which the command outside always gives one. */
  long seed() {
    return Objects.requireNonNull(seed, "the command outside gives one");
  }

  private void require(boolean isRight, String rule) {
    if (!isRight) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  /**
   * @param directory of the run
   */
  Plan plan(Path directory) {
    GalopLaunch galop = node.galop(1);
    return new Plan(
        galop.jar(),
        galop.java(),
        galop.jvmFlags(),
        galop.settings(),
        ack,
        faults.contains(FaultKind.CLOCK),
        new RelayKeys(directory.resolve("keys")));
  }

  /** The names of the nodes there: store1, …, front1, …, relay1, … */
  List<String> names(NodePlace place) {
    return switch (place) {
      case STORING -> numbered("store", storing);
      case FRONT -> numbered("front", fronts);
      case RELAY -> numbered("relay", relays);
    };
  }

  private static List<String> numbered(String name, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> name + i).toList();
  }

  FaultSchedule schedule() {
    List<String> showing = new ArrayList<>(names(NodePlace.FRONT));
    showing.addAll(names(NodePlace.RELAY));
    return new FaultSchedule(
        seed(),
        faults,
        shorten,
        names(NodePlace.STORING),
        showing,
        stores().stream().map(StoreWord::toString).toList());
  }
}
