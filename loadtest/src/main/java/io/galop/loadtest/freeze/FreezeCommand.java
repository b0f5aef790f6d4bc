package io.galop.loadtest.freeze;

import io.galop.loadtest.latency.Latencies;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A broadcast node stands still for a while. */
@Command(
    name = "freeze",
    mixinStandardHelpOptions = true,
    description = {
      "Freezes a node of a cluster (SIGSTOP) under load, and continues it.",
      "Measures the first node's memory and the latency of the other nodes' viewers, and checks"
          + " that",
      "every viewer of the frozen node has every record or was told of the gap."
    },
    footer = {
      "",
      "Stolen is the share of processor time that the machine's host gave to others. Above a"
          + " percent or",
      "two, the latency is not that of Galop.",
      "",
      "Told counts viewers that got resumed with complete:false, or a disconnect. Exit code 1 if a"
          + " viewer",
      "was not told, a viewer elsewhere missed a record, the heap grew by more than allowed, or"
          + " the",
      "others' p99 rose by more than a fifth and 20 ms (medians). Needs jcmd."
    })
public final class FreezeCommand implements Callable<Integer> {
  @Mixin private final FreezeOptions options = new FreezeOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    options.node.galop(options.nodes);
    List<FreezeOutcome> all = new ArrayList<>();
    boolean isRight = true;
    for (int seconds : options.freezeSeconds) {
      List<FreezeOutcome> runs = new ArrayList<>();
      for (int run = 0; run < options.runs; run++) {
        runs.add(new Freeze(options, seconds).run());
        System.err.print(FreezeOutcome.head() + runs.get(run).row());
      }
      all.addAll(runs);
      isRight &= judge(seconds, runs);
    }
    System.out.print(FreezeOutcome.head());
    all.forEach(outcome -> System.out.print(outcome.row()));
    JsonArray json = new JsonArray(all.stream().map(FreezeOutcome::toJson).toList());
    Files.writeString(options.json, json.encodePrettily() + "\n");
    return isRight ? 0 : 1;
  }

  private boolean judge(int seconds, List<FreezeOutcome> runs) {
    double before = FreezeOutcome.median(runs, FreezeOutcome::p99BeforeMs);
    double during = FreezeOutcome.median(runs, FreezeOutcome::p99DuringMs);
    double heap = FreezeOutcome.median(runs, FreezeOutcome::heapGrowthMb);
    boolean isUnchanged = Latencies.isUnchanged(before, during);
    boolean isFlat = heap <= options.maxHeapGrowthMb;
    boolean isHonest = runs.stream().allMatch(FreezeOutcome::isHonest);
    System.out.printf(
        Locale.ROOT,
        "frozen for %d s: p99 of the others %s, heap %s, viewers %s%n",
        seconds,
        isUnchanged ? "unchanged" : "CHANGED",
        isFlat ? "flat" : "GROWN",
        isHonest ? "have every record or were told" : "MISS RECORDS");
    return isUnchanged && isFlat && isHonest;
  }
}
