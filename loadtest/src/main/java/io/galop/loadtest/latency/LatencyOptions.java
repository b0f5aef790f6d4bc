package io.galop.loadtest.latency;

import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Launch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code latency}. */
final class LatencyOptions {
  @Option(names = "--http", paramLabel = "host:port", description = "Where browsers connect.")
  @Nullable String http;

  @Option(names = "--tcp", paramLabel = "host:port", description = "The tcp door.")
  @Nullable String tcp;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "The node's process, to measure its cost.")
  Optional<Long> pid = Optional.empty();

  @Option(
      names = "--management",
      paramLabel = "host:port",
      description = "The node's management port: what the node itself says is shown beside.")
  @Nullable String management;

  @Option(
      names = "--start",
      paramLabel = "JAR",
      description = "Instead, start a node of this jar with all roles, and stop it at the end.")
  Optional<Path> start = Optional.empty();

  @Option(
      names = "--peer",
      description = "Measure the stock Vert.x event-bus bridge likewise, in alternation.")
  boolean peer;

  @Option(
      names = "--java-option",
      paramLabel = "OPTION",
      description = "An option of the started servers' JVMs, as in -Xmx512m; repeatable.")
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
      description = "Measured time. Default: ${DEFAULT-VALUE}.")
  int seconds;

  @Option(
      names = "--warm-up-seconds",
      defaultValue = "10",
      description = "Time under the same load before that. Default: ${DEFAULT-VALUE}.")
  int warmUpSeconds;

  @Option(
      names = "--bytes",
      defaultValue = "290",
      description = "Bytes of a message's data. Default: ${DEFAULT-VALUE}.")
  int bytes;

  @Option(
      names = "--topics",
      defaultValue = "10",
      description = "Topics, used in turn. Default: ${DEFAULT-VALUE}.")
  int topics;

  @Option(
      names = "--ping-seconds",
      defaultValue = "5",
      description =
          "Interval between a viewer's pings, as of the bridge's clients; 0: none. Default:"
              + " ${DEFAULT-VALUE}.")
  int pingSeconds;

  @Option(
      names = "--runs",
      defaultValue = "1",
      description = "Runs; the medians are printed. Default: ${DEFAULT-VALUE}.")
  int runs;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "latency.json",
      description = "File for the figures. Default: ${DEFAULT-VALUE}.")
  Path json;

  Load load() {
    return new Load(viewers, rate, seconds, warmUpSeconds, bytes, topics, pingSeconds);
  }
}
