package io.galop.loadtest.fanout;

import io.galop.loadtest.latency.Figures;
import io.galop.loadtest.latency.LatencyRun;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.latency.Table;
import io.galop.loadtest.targets.Started;
import io.galop.loadtest.targets.Starter;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a delivery costs the server, against the least that it could cost. */
@Command(
    name = "fanout",
    mixinStandardHelpOptions = true,
    description = {
      "Sends every message to very many SockJS websockets, and measures the same with a bare epoll",
      "loop in C, turn about. All on the loopback interface of this machine."
    },
    footer = {
      "",
      "Columns as in latency. A viewer costs some 0.2 µs per delivery here beyond its system calls;",
      "where the generator's processors and lag are high, it is the limit and not the server."
    })
public final class FanoutCommand implements Callable<Integer> {
  private static final String SOURCE = "/peers/epoll-loop/fanout.c";

  @Option(names = "--start", required = true, paramLabel = "JAR", description = "galop.jar.")
  private Path jar;

  @Option(
      names = "--java-option",
      paramLabel = "OPTION",
      description = "For the server's JVM, as in -Xmx512m; repeatable.")
  private List<String> javaOptions = new ArrayList<>();

  @Option(names = "--peer", description = "Measure the epoll loop in C too; needs cc.")
  private boolean peer;

  @Option(names = "--connections", defaultValue = "5000", description = "Default: 5000.")
  private int connections;

  @Option(names = "--rate", defaultValue = "10", description = "Messages a second. Default: 10.")
  private int rate;

  @Option(names = "--bytes", defaultValue = "290", description = "Of data. Default: 290.")
  private int bytes;

  @Option(names = "--topics", defaultValue = "1", description = "Default: 1.")
  private int topics;

  @Option(names = "--seconds", defaultValue = "10", description = "Of each run. Default: 10.")
  private int seconds;

  @Option(names = "--warm-up-seconds", defaultValue = "10", description = "Default: 10.")
  private int warmUpSeconds;

  @Option(names = "--runs", defaultValue = "1", description = "Default: 1.")
  private int runs;

  @Option(names = "--json", defaultValue = "fanout.json", description = "Default: fanout.json.")
  private Path json;

  private final List<Figures> inOrder = new ArrayList<>();

  /** A server to measure. */
  private interface Server {
    Started start() throws IOException, InterruptedException;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Figures> galop = new ArrayList<>();
    List<Figures> loop = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      galop.add(measure(() -> Starter.galop(jar, javaOptions)));
      if (peer) {
        loop.add(measure(FanoutCommand::startLoop));
      }
    }
    report(galop, loop);
    return galop.stream().allMatch(figures -> figures.missing() == 0) ? 0 : 1;
  }

  private static Started startLoop() throws IOException, InterruptedException {
    try (InputStream source = FanoutCommand.class.getResourceAsStream(SOURCE)) {
      return Starter.epollLoop(source);
    }
  }

  private Load load() {
    return new Load(connections, rate, seconds, warmUpSeconds, bytes, topics, 0);
  }

  private Figures measure(Server server) throws IOException, InterruptedException {
    try (Started started = server.start()) {
      SockViewers viewers = new SockViewers(started.target(), load());
      Figures figures = new LatencyRun(started.target(), load(), viewers).run();
      inOrder.add(figures);
      System.err.printf(
          Locale.ROOT,
          "%s: %.2f µs per delivery, %.1f messages a frame%n",
          figures.target(),
          figures.serverMicrosPerDelivery(),
          figures.deliveriesPerSecond() * seconds / Math.max(1, viewers.framesAtEnd()));
      return figures;
    }
  }

  private void report(List<Figures> galop, List<Figures> loop) throws IOException {
    List<Figures> rows = new ArrayList<>(inOrder);
    JsonArray medians = new JsonArray();
    for (List<Figures> server : List.of(galop, loop)) {
      if (!server.isEmpty()) {
        rows.add(Figures.median(server));
        medians.add(Figures.median(server).toJson());
      }
    }
    JsonObject all = new JsonObject().put("load", load().toString()).put("medians", medians);
    all.put("runs", new JsonArray(inOrder.stream().map(Figures::toJson).toList()));
    Files.writeString(json, all.encodePrettily() + "\n");
    System.out.println(load());
    System.out.print(Table.of(rows));
    if (!loop.isEmpty()) {
      System.out.printf(
          Locale.ROOT,
          "galop / epoll loop in C, server processor time per delivery, median of pairs: %.2f%n",
          medianRatio(galop, loop));
    }
  }

  private static double medianRatio(List<Figures> galop, List<Figures> loop) {
    double[] ratios = new double[galop.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = galop.get(i).serverMicrosPerDelivery() / loop.get(i).serverMicrosPerDelivery();
    }
    java.util.Arrays.sort(ratios);
    return ratios[ratios.length / 2];
  }
}
