package io.galop.loadtest.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A cluster under faults. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a cluster and injects faults, drawn from a seed, one after the other. Publishers"
          + " repeat",
      "unacknowledged records, and viewers log what they see. Then compares acknowledged records",
      "with each store and with what each viewer saw."
    },
    footer = {
      "",
      "Everything runs in namespaces of its own for processes, network and mounts, which vanish"
          + " with",
      "it. It needs Linux and root, or user namespaces. A fault is healed when a record of every"
          + " shard",
      "is acknowledged and seen by the staying viewers and a new one. Exit code 1 if a record was"
          + " lost,",
      "doubled, shown twice or silently missing, a fault was not healed in time, a node exited, or"
          + " the",
      "nodes' Ledgers do not balance or could not be read."
    })
public final class ChaosCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private final ChaosOptions options = new ChaosOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    options.plan(Path.of(""));
    Path directory = Enclosure.directory();
    return directory == null ? outside() : inside(directory);
  }

  private int outside() throws IOException, InterruptedException {
    String lacks = Enclosure.lacks();
    if (!lacks.isEmpty()) {
      throw new IOException("chaos needs namespaces of its own: " + lacks);
    }
    List<String> arguments = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    arguments.remove(0);
    if (options.seed == null) {
      arguments.add("--seed=" + new Random().nextInt(1_000_000));
    }
    return Enclosure.run(arguments);
  }

  private int inside(Path directory) throws IOException, InterruptedException {
    System.err.println("seed " + options.seed());
    ChaosReport report = new ChaosRun(options, directory).run();
    if (options.json != null) {
      Files.writeString(options.json, report.toJson().encodePrettily() + "\n");
    }
    System.out.print(report);
    if (!report.isRight()) {
      System.out.println("to repeat these faults: " + repeat());
    }
    return report.isRight() ? 0 : 1;
  }

  private String repeat() {
    List<String> words = new ArrayList<>(List.of("java -jar galop-loadtest.jar"));
    for (String word : spec.root().commandLine().getParseResult().originalArgs()) {
      words.add(word.contains(" ") ? "'" + word + "'" : word);
    }
    String all = String.join(" ", words);
    return all.contains("--seed") ? all : all + " --seed " + options.seed();
  }
}
