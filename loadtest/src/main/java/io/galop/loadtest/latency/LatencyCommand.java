package io.galop.loadtest.latency;

import io.galop.loadtest.targets.Peer;
import io.galop.loadtest.targets.Started;
import io.galop.loadtest.targets.Target;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** From the door to the browser: how long, how many, at what cost. */
@Command(
    name = "latency",
    mixinStandardHelpOptions = true,
    description = {
      "Publishes at a fixed rate over the tcp door to viewers on raw websockets.",
      "Latency runs from the time when a message was due, so it includes all waiting."
    },
    footer = {
      "",
      "Columns: deliveries a second; latency door to browser; messages missing and duplicate, over",
      "all viewers; lost connections; latency to the acknowledgement; CPU time of the server per",
      "delivery and its resident memory; lateness of the generator (p99, ms) and its processors. If"
          + " the",
      "last two are high, the generator is the limit.",
      "Of Galop, the last lines are what the node itself counts, see galop_latency_seconds."
    })
public final class LatencyCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private final LatencyOptions options = new LatencyOptions();

  /** A line for each run of a node that says its own latency. */
  private final StringBuilder said = new StringBuilder();

  /** A server to measure, started or running. */
  private interface Server {
    Started start() throws IOException, InterruptedException;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (options.start.isPresent() == (options.http != null)
        || (options.http == null) != (options.tcp == null)
        || options.http == null && options.management != null) {
      throw new ParameterException(
          spec.commandLine(), "name a running node with --http and --tcp, or a jar with --start");
    }
    List<Figures> galop = new ArrayList<>();
    List<Figures> peer = new ArrayList<>();
    List<Figures> inOrder = new ArrayList<>();
    for (int run = 1; run <= options.runs; run++) {
      galop.add(measureGalop());
      inOrder.add(galop.get(run - 1));
      if (options.peer) {
        peer.add(measure(() -> Peer.VERTX_BRIDGE.start(options.javaOptions)));
        inOrder.add(peer.get(run - 1));
      }
      System.err.printf("run %d of %d done%n", run, options.runs);
    }
    report(inOrder, galop, peer);
    return galop.stream().allMatch(figures -> figures.missing() == 0) ? 0 : 1;
  }

  private Figures measureGalop() throws IOException, InterruptedException {
    if (options.start.isPresent()) {
      return measure(() -> options.galop().start());
    }
    String http = Objects.requireNonNull(options.http, "checked with --start");
    String tcp = Objects.requireNonNull(options.tcp, "checked with --http");
    Target running =
        new Target(
            "galop",
            List.of(HostPorts.parse(http)),
            HostPorts.parse(tcp),
            options.pid.stream().toList(),
            Target.Filters.WILDCARD);
    LatencyViewers viewers = new VertxViewers(running, options.load());
    Optional<NodeLatency> node =
        Optional.ofNullable(options.management)
            .map(address -> new NodeLatency(HostPorts.parse(address)));
    Figures figures = new LatencyRun("galop", running, options.load(), viewers, node).run();
    node.ifPresent(itself -> said.append(itself.besides(figures)));
    return figures;
  }

  private Figures measure(Server server) throws IOException, InterruptedException {
    try (Started started = server.start()) {
      LatencyViewers viewers = new VertxViewers(started.target(), options.load());
      String name = started.target().name();
      Optional<NodeLatency> node = started.management().stream().findFirst().map(NodeLatency::new);
      Figures figures = new LatencyRun(name, started.target(), options.load(), viewers, node).run();
      node.ifPresent(itself -> said.append(itself.besides(figures)));
      return figures;
    }
  }

  private void report(List<Figures> inOrder, List<Figures> galop, List<Figures> peer)
      throws IOException {
    List<Figures> rows = new ArrayList<>(inOrder);
    JsonObject json = new JsonObject().put("load", options.load().toString());
    json.put("runs", new JsonArray(inOrder.stream().map(Figures::toJson).toList()));
    Figures own = Figures.median(galop);
    if (options.runs > 1) {
      rows.add(own);
    }
    JsonArray medians = new JsonArray().add(own.toJson());
    StringBuilder ratios = new StringBuilder();
    if (!peer.isEmpty()) {
      Figures other = Figures.median(peer);
      if (options.runs > 1) {
        rows.add(other);
      }
      medians.add(other.toJson());
      ratios.append(
          "galop / vertx bridge, of the medians: processor time per delivery %.2f, p99 %.2f%n"
              .formatted(
                  own.serverMicrosPerDelivery() / other.serverMicrosPerDelivery(),
                  own.p99Ms() / other.p99Ms()));
    }
    Files.writeString(options.json, json.put("medians", medians).encodePrettily() + "\n");
    System.out.println(options.load());
    System.out.print(LatencyTable.of(rows));
    System.out.print(said);
    System.out.print(ratios);
  }
}
