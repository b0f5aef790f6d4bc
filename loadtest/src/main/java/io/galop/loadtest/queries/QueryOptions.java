package io.galop.loadtest.queries;

import io.galop.loadtest.compare.NodeOptions;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Started;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code queries}. */
final class QueryOptions {
  @Mixin final NodeOptions node = new NodeOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--from",
      split = ",",
      defaultValue = "RAM,RAM_EACH,EMBEDDED,MARIADB,MONGODB,REDIS,NGINX",
      description =
          "Sources of answers, in this order: ${COMPLETION-CANDIDATES}. RAM_EACH: all queries"
              + " differ, so that no answer is shared. NGINX serves the first source's answer as a"
              + " file. Default: ${DEFAULT-VALUE}.")
  List<AnswerSource> sources;

  @Option(
      names = "--records",
      defaultValue = "10000",
      description = "Records of each answer. Default: ${DEFAULT-VALUE}.")
  int records;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "10,100,200,500",
      description = "Numbers of clients that ask once each; 0: none. Default: ${DEFAULT-VALUE}.")
  List<Integer> clients;

  @Option(
      names = "--every-ms",
      defaultValue = "200",
      description = "Interval between the starts of these clients. Default: ${DEFAULT-VALUE}.")
  long everyMs;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--loop-clients",
      split = ",",
      defaultValue = "10",
      description =
          "Numbers of clients that ask again after each answer. Default: ${DEFAULT-VALUE}.")
  List<Integer> loopClients;

  @Option(
      names = "--loop-seconds",
      defaultValue = "5",
      description = "Duration of this closed loop; 0: none. Default: ${DEFAULT-VALUE}.")
  int loopSeconds;

  @Option(
      names = "--runs",
      defaultValue = "3",
      description = "Rounds of the closed loop, in alternation. Default: ${DEFAULT-VALUE}.")
  int runs;

  @Option(
      names = "--warm-up-seconds",
      defaultValue = "5",
      description =
          "Warm-up of each source by two clients in a closed loop. Default: ${DEFAULT-VALUE}.")
  int warmUpSeconds;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--mongo",
      paramLabel = "HOST:PORT",
      defaultValue = "",
      description =
          "A real MongoDB without a password, where a database is left behind. Without it a"
              + " stand-in, whose speed says nothing about MongoDB's.")
  String mongo;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "queries.json",
      description = "File for the figures. Default: ${DEFAULT-VALUE}.")
  Path json;

  /** What is asked for, as a scenario has it. */
  Queries plan() {
    return new Queries(
        sources,
        records,
        clients.stream().filter(count -> count > 0).toList(),
        everyMs,
        loopClients,
        loopSeconds,
        runs,
        warmUpSeconds,
        mongo);
  }

  /** Starts nodes as the options say. */
  Nodes nodes() {
    GalopLaunch plain = node.galop(1);
    return settings -> {
      List<String> all = new ArrayList<>(settings);
      all.addAll(plain.settings());
      Started one = new GalopLaunch(plain.jar(), plain.java(), plain.jvmFlags(), all, 1).start();
      return new Nodes.Running(one.target().http(), one.target().tcp(), one.target().pids(), one);
    };
  }
}
