package io.galop.loadtest.stalled;

import io.galop.loadtest.client.ViewerTransport;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Viewers that never read, beside others that do. */
@Command(
    name = "stalled",
    mixinStandardHelpOptions = true,
    description = {
      "Adds viewers that register and never read, and removes them again, while others watch.",
      "Measures on each transport their cost: latency of the others, and memory of the node."
    },
    footer = {
      "",
      "All rounds of a transport use one warm node. Exit code 1 if a reading viewer missed a"
          + " message",
      "or was lost, if the p99 rose by more than a fifth and 20 ms or the memory by more than"
          + " allowed",
      "(medians), or if the stalled viewers had in fact taken everything."
    })
public final class StalledCommand implements Callable<Integer> {
  @Mixin private final StalledOptions options = new StalledOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    options.load.load();
    options.node.galop(1);
    List<StalledOutcome> outcomes = new ArrayList<>();
    for (ViewerTransport transport : options.transports) {
      StalledOutcome outcome = new StalledRun(options, transport).run();
      System.err.print(StalledOutcome.head() + outcome.row(options.maxGrowthMb));
      outcomes.add(outcome);
    }
    System.out.print(StalledOutcome.head());
    outcomes.forEach(outcome -> System.out.print(outcome.row(options.maxGrowthMb)));
    JsonArray json = new JsonArray(outcomes.stream().map(StalledOutcome::toJson).toList());
    Files.writeString(options.json, json.encodePrettily() + "\n");
    return outcomes.stream().allMatch(outcome -> outcome.isRight(options.maxGrowthMb)) ? 0 : 1;
  }
}
