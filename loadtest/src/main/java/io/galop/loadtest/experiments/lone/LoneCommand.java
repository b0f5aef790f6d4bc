package io.galop.loadtest.experiments.lone;

import io.galop.loadtest.compare.NodeOptions;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import io.galop.loadtest.targets.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Galop, JetStream and the bare disk take turns. */
@Command(
    name = "lone",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how long one record takes until it is acknowledged from disk.",
      "A node's tcp door with and without a watcher, NATS JetStream with an fsync for each message",
      "and a bare loop of write and fsync on the same disk, turn about."
    },
    footer = {
      "",
      "All figures are medians over the turns. Columns: p50 and p99 to the acknowledgement, lowest",
      "and highest p50 of a turn, p50 and p99 to the watcher; processor time and context switches of",
      "the server per record. JetStream is built with go install unless --nats names it. Exit code 1",
      "if the watcher missed a record."
    })
public final class LoneCommand implements Callable<Integer> {
  /** What the one before still writes is not to be waited for by the next. */
  private static final long SETTLE_SECONDS = 1;

  @Mixin private final NodeOptions node = new NodeOptions();

  @Option(
      names = "--beside",
      paramLabel = "JAR",
      description = "Another galop.jar to measure likewise, such as an older one.")
  private @Nullable Path beside;

  @Option(
      names = "--nats",
      paramLabel = "PATH",
      description = "nats-server. Default: " + JetStream.MODULE + " by go install.")
  private @Nullable Path nats;

  @Option(names = "--no-peer", description = "Leave out JetStream.")
  private boolean isWithoutPeer;

  @Option(
      names = "--rate",
      defaultValue = "0",
      description =
          "Records a second, each sent by itself when it is due; 0: the next one when the last is"
              + " acknowledged. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--records",
      defaultValue = "2000",
      description = "Records of a turn. Default: ${DEFAULT-VALUE}.")
  private int records;

  @Option(
      names = "--turns",
      defaultValue = "5",
      description = "Turns of each server. Default: ${DEFAULT-VALUE}.")
  private int turns;

  @Option(
      names = "--warm-up-records",
      defaultValue = "10000",
      description = "Records to each server before. Default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--bytes",
      defaultValue = "290",
      description = "Bytes of a record's data. Default: ${DEFAULT-VALUE}.")
  private int bytes;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<AutoCloseable> started = new ArrayList<>();
    try {
      return measure(servers(started));
    } finally {
      for (AutoCloseable each : started) {
        close(each);
      }
    }
  }

  private static void close(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      System.err.println("galop-loadtest: could not be stopped: " + e);
    }
  }

  /** What is started is closed by the caller, even where not all of it starts. */
  private List<DurableServer> servers(List<AutoCloseable> started)
      throws IOException, InterruptedException {
    List<DurableServer> all = new ArrayList<>(List.of(new BareDisk()));
    if (!isWithoutPeer) {
      all.add(JetStream.start(nats == null ? install(started) : nats));
    }
    started.addAll(all);
    GalopLaunch galop = node.galop(1);
    all.addAll(nodes("galop", galop, started));
    if (beside != null) {
      GalopLaunch other =
          new GalopLaunch(beside, galop.java(), galop.jvmFlags(), galop.settings(), 1);
      all.addAll(nodes("beside", other, started));
    }
    return all;
  }

  private static List<DurableServer> nodes(
      String name, GalopLaunch galop, List<AutoCloseable> started)
      throws IOException, InterruptedException {
    Started node = galop.start();
    started.add(node);
    return List.of(new LoneNode(name, node, false), new LoneNode(name, node, true));
  }

  /** What Go has built once it finds again in its cache. */
  private static Path install(List<AutoCloseable> started)
      throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    started.add(() -> Leavings.delete(dir));
    Path log = dir.resolve("log");
    List<String> command = List.of("env", "GOBIN=" + dir, "go", "install", JetStream.MODULE);
    if (Launch.run(command, log).waitFor() != 0) {
      throw new IOException(
          "go cannot install nats-server; name one with --nats, or leave it out with --no-peer:\n"
              + Files.readString(log));
    }
    return dir.resolve("nats-server");
  }

  private int measure(List<DurableServer> servers) throws IOException, InterruptedException {
    Map<String, List<LoneTurn>> shown = new LinkedHashMap<>();
    for (DurableServer server : servers) {
      LoneTurn.run(server, warmUp, bytes, rate);
    }
    long missing = 0;
    for (int turn = 1; turn <= turns; turn++) {
      for (DurableServer server : servers) {
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        LoneTurn one = LoneTurn.run(server, records, bytes, rate);
        shown.computeIfAbsent(server.name(), name -> new ArrayList<>()).add(one);
        missing += one.missing();
      }
      System.err.printf("turn %d of %d done%n", turn, turns);
    }
    System.out.print(LoneTable.of(shown));
    if (missing > 0) {
      System.err.println("galop-loadtest: the watcher missed " + missing + " records");
    }
    return missing == 0 ? 0 : 1;
  }
}
