package io.galop.loadtest.latency;

import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Launch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code latency}. */
final class LatencyOptions {
  @Option(names = "--http", paramLabel = "host:port", description = "Where browsers connect.")
  String http;

  @Option(names = "--tcp", paramLabel = "host:port", description = "The tcp door.")
  String tcp;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "The node's process: its cost is measured.")
  Optional<Long> pid = Optional.empty();

  @Option(
      names = "--start",
      paramLabel = "JAR",
      description = "Start a node out of this jar instead, with all roles, and stop it again.")
  Optional<Path> start = Optional.empty();

  @Option(
      names = "--peer",
      description = "Measure the stock Vert.x event-bus bridge in the same way, turn about.")
  boolean peer;

  @Option(
      names = "--java-option",
      paramLabel = "OPTION",
      description = "For the JVM of servers that are started, as in -Xmx512m; repeatable.")
  List<String> javaOptions = new ArrayList<>();

  GalopLaunch galop() {
    return new GalopLaunch(start.orElseThrow(), Launch.java(), javaOptions, List.of(), 1);
  }

  @Option(names = "--viewers", defaultValue = "1000", description = "Default: ${DEFAULT-VALUE}.")
  int viewers;

  @Option(
      names = "--rate",
      defaultValue = "10",
      description = "Messages a second, each to every viewer. Default: ${DEFAULT-VALUE}.")
  double rate;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "How long is measured. Default: ${DEFAULT-VALUE}.")
  int seconds;

  @Option(
      names = "--warm-up-seconds",
      defaultValue = "10",
      description = "How long the same load runs before. Default: ${DEFAULT-VALUE}.")
  int warmUpSeconds;

  @Option(
      names = "--bytes",
      defaultValue = "290",
      description = "Of a message's data. Default: ${DEFAULT-VALUE}.")
  int bytes;

  @Option(
      names = "--topics",
      defaultValue = "10",
      description = "Over how many topics messages go. Default: ${DEFAULT-VALUE}.")
  int topics;

  @Option(
      names = "--ping-seconds",
      defaultValue = "5",
      description =
          "How often a viewer pings, as the clients of the bridge do; 0 never. Default:"
              + " ${DEFAULT-VALUE}.")
  int pingSeconds;

  @Option(
      names = "--runs",
      defaultValue = "1",
      description = "How often; medians are printed. Default: ${DEFAULT-VALUE}.")
  int runs;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "latency.json",
      description = "Where the figures are written too. Default: ${DEFAULT-VALUE}.")
  Path json;

  Load load() {
    return new Load(viewers, rate, seconds, warmUpSeconds, bytes, topics, pingSeconds);
  }
}
