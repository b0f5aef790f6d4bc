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
  @Mixin NodeOptions node;

  @Option(
      names = "--from",
      split = ",",
      defaultValue = "RAM,RAM_EACH,EMBEDDED,MARIADB,MONGODB,REDIS,NGINX",
      description =
          "Where answers come from, in this order: ${COMPLETION-CANDIDATES}. RAM_EACH: no two ask"
              + " the same, so that nobody gets another's answer. NGINX serves the answer of the"
              + " first as a file. Default: ${DEFAULT-VALUE}.")
  List<AnswerSource> sources;

  @Option(
      names = "--records",
      defaultValue = "10000",
      description = "Of each answer. Default: ${DEFAULT-VALUE}.")
  int records;

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "10,100,200,500",
      description = "So many that ask once each; 0 for none. Default: ${DEFAULT-VALUE}.")
  List<Integer> clients;

  @Option(
      names = "--every-ms",
      defaultValue = "200",
      description = "How long after the one before each of them starts. Default: ${DEFAULT-VALUE}.")
  long everyMs;

  @Option(
      names = "--loop-clients",
      split = ",",
      defaultValue = "10",
      description =
          "So many that ask again as soon as they have their answer. Default: ${DEFAULT-VALUE}.")
  List<Integer> loopClients;

  @Option(
      names = "--loop-seconds",
      defaultValue = "5",
      description = "How long; 0 leaves it out. Default: ${DEFAULT-VALUE}.")
  int loopSeconds;

  @Option(
      names = "--runs",
      defaultValue = "3",
      description = "Rounds of the closed loop, turn about. Default: ${DEFAULT-VALUE}.")
  int runs;

  @Option(
      names = "--warm-up-seconds",
      defaultValue = "5",
      description = "Of two clients in a closed loop, for each source. Default: ${DEFAULT-VALUE}.")
  int warmUpSeconds;

  @Option(
      names = "--mongo",
      paramLabel = "HOST:PORT",
      defaultValue = "",
      description =
          "A real MongoDB without a password; a database of its own is left there. Without it: a"
              + " stand-in, whose speed says nothing about MongoDB's.")
  String mongo;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "queries.json",
      description = "Where the figures are written too. Default: ${DEFAULT-VALUE}.")
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
