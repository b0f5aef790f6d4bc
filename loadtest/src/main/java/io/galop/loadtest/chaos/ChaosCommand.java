package io.galop.loadtest.chaos;

import java.io.IOException;
import java.nio.file.Files;
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
      "Starts a cluster and lets faults happen to it, drawn from a seed, one after the other,"
          + " while",
      "publishers repeat what is not acknowledged and viewers write down what they are shown. Then",
      "compares what was acknowledged with what is in each store and what each viewer was shown."
    },
    footer = {
      "",
      "All runs in namespaces of its own for processes, network and mounts, which go with it:"
          + " needs",
      "Linux and root, or a system that lets its users make namespaces. Healed is how long after"
          + " the",
      "end of a fault a record for every shard was acknowledged and shown to all who stay and to a",
      "viewer that has just come. Ends with 1 if a record was lost, doubled, shown twice or"
          + " missing",
      "without a word, a fault was not healed in time, or a node ended by itself."
    })
public final class ChaosCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ChaosOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    options.plan();
    return Enclosure.directory() == null ? outside() : inside();
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

  private int inside() throws IOException, InterruptedException {
    System.err.println("seed " + options.seed);
    ChaosReport report = new ChaosRun(options, Enclosure.directory()).run();
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
    return all.contains("--seed") ? all : all + " --seed " + options.seed;
  }
}
