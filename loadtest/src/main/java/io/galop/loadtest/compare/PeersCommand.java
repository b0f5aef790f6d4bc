package io.galop.loadtest.compare;

import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.client.ForkedCrowd;
import io.galop.loadtest.client.ViewerGroup;
import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.latency.Figures;
import io.galop.loadtest.latency.LatencyRun;
import io.galop.loadtest.latency.LatencyViewers;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Started;
import io.galop.loadtest.targets.Target;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** One table from one run: Galop and its peers, turn about. */
@Command(
    name = "peers",
    mixinStandardHelpOptions = true,
    description = {
      "Sends every message to very many viewers of Galop and of its peers, in one table.",
      "Starts, loads and stops each in turn on the loopback interface."
    },
    footer = {
      "",
      "Columns as in latency. The C loop needs cc, over TLS OpenSSL's headers too, the peers on"
          + " Node.js",
      "need npm. haproxy is a node in clear text behind HAProxy, measured together. Exit code 1 if",
      "a viewer missed a message or was lost, or a socket stays open at the end."
    })
public final class PeersCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private final CompareOptions options = new CompareOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    GalopLaunch galop = options.node.galop(options.nodes);
    Load load = options.load.load();
    List<Bout> bouts = options.bouts();
    check(bouts);
    ServerComparison comparison = new ServerComparison(load, bouts);
    for (int run = 1; run <= options.runs; run++) {
      for (Bout bout : bouts) {
        comparison.add(bout, measure(bout, galop, load));
      }
      System.err.printf("run %d of %d done%n", run, options.runs);
    }
    if (options.nullServer) {
      comparison.nullServer(measureNullServer(galop, load));
    }
    comparison.write(options.json);
    System.out.print(comparison.print());
    return comparison.isComplete() ? 0 : 1;
  }

  private void check(List<Bout> bouts) {
    if (options.runs < 1 || options.nodes < 1 || options.perProcess < 1) {
      throw new ParameterException(
          spec.commandLine(), "--runs, --nodes and --per-process are from 1 on");
    }
    if (options.sources < 0 || options.sources > 250) {
      throw new ParameterException(spec.commandLine(), "--sources is from 0 to 250");
    }
    if (bouts.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "none of --servers speaks one of --transport");
    }
  }

  private Figures measure(Bout bout, GalopLaunch galop, Load load)
      throws IOException, InterruptedException {
    try (Started started = bout.server().start(galop)) {
      Target target = started.target();
      ViewerTransport dialect = bout.server().dialect(bout.transport());
      String nodes = bout.isGalop() && options.nodes > 1 ? ", " + options.nodes + " nodes" : "";
      LatencyViewers viewers = viewers(target, dialect, load);
      Figures figures = new LatencyRun(bout.label() + nodes, target, load, viewers).run();
      System.err.printf(
          Locale.ROOT,
          "%s: %.2f µs per delivery, p99 %.1f ms, %d missing%n",
          figures.target(),
          figures.serverMicrosPerDelivery(),
          figures.p99Ms(),
          figures.missing());
      return figures;
    }
  }

  private LatencyViewers viewers(Target target, ViewerTransport transport, Load load)
      throws IOException {
    ViewerGroup audience =
        ViewerGroup.of(target.browsers(), transport, target.addresses(load.topics()))
            .withSources(options.sources);
    if (target.tls()) {
      return new Crowd(audience.withTls(), load.viewers(), load.bytes());
    }
    return load.viewers() > options.perProcess
        ? new ForkedCrowd(audience, load, options.perProcess)
        : new Crowd(audience, load.viewers(), load.bytes());
  }

  private Figures measureNullServer(GalopLaunch galop, Load load)
      throws IOException, InterruptedException {
    Load twice =
        new Load(
            load.viewers(),
            2 * load.ratePerSecond(),
            load.seconds(),
            load.warmUpSeconds(),
            load.bytes(),
            load.topics(),
            0);
    try (Started started = ServerName.EPOLL_LOOP.start(galop)) {
      LatencyViewers viewers = viewers(started.target(), ViewerTransport.WEBSOCKET, twice);
      return new LatencyRun("generator at 2 x the rate", started.target(), twice, viewers).run();
    }
  }
}
