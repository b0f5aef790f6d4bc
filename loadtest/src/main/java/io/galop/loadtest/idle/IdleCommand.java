package io.galop.loadtest.idle;

import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.client.ViewerGroup;
import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.compare.NodeOptions;
import io.galop.loadtest.sample.SocketStates;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Jcmd;
import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.targets.Started;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a connection that only waits costs in memory. */
@Command(
    name = "idle",
    mixinStandardHelpOptions = true,
    description = {
      "Measures a node's resident memory per idle connection.",
      "It compares memory after full collections, with the connections and before them. Needs jcmd."
    },
    footer = {
      "",
      "Exit code 1 if a connection takes more than --at-most, or a socket stays open at the end."
    })
public final class IdleCommand implements Callable<Integer> {
  private static final int MOST_CONNECTIONS = 19_500;
  private static final long CLOSING_SECONDS = 60;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private final NodeOptions node = new NodeOptions();

  @Option(
      names = "--connections",
      defaultValue = "10000",
      description = "Idle connections. Default: ${DEFAULT-VALUE}.")
  private int connections;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--transport",
      defaultValue = "websocket",
      description = "Their transport: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private ViewerTransport transport;

  @Option(
      names = "--before",
      defaultValue = "500",
      description =
          "Connections that come and go before the first measurement. Default: ${DEFAULT-VALUE}.")
  private int before;

  @Option(
      names = "--settle-seconds",
      defaultValue = "5",
      description = "Pause before memory is read. Default: ${DEFAULT-VALUE}.")
  private int settleSeconds;

  @Option(
      names = "--at-most",
      paramLabel = "BYTES",
      description = "Fail if a connection takes more.")
  private @Nullable Long atMost;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (connections < 1 || connections > MOST_CONNECTIONS || before < 0 || settleSeconds < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--connections is from 1 to 19500, --before and --settle-seconds from 0 on");
    }
    GalopLaunch galop = node.galop(1);
    try (Started started = galop.start()) {
      JsonObject figures = measure(started, galop);
      System.out.println(figures.encodePrettily());
      boolean isSmall = atMost == null || figures.getLong("bytesPerConnection") <= atMost;
      return isSmall && figures.getInteger("socketsLeft") == 0 ? 0 : 1;
    }
  }

  private JsonObject measure(Started started, GalopLaunch galop)
      throws IOException, InterruptedException {
    long pid = started.target().pids().get(0);
    Jcmd jcmd = new Jcmd(galop.java(), pid);
    ViewerGroup audience =
        ViewerGroup.of(started.target().browsers(), transport, started.target().addresses(1));
    Set<Integer> port = Set.of(started.target().http().getPort());
    try (Crowd first = new Crowd(audience, before, 0)) {
      first.connect();
    }
    SocketStates.awaitNone(port, CLOSING_SECONDS);
    Memory was = settled(jcmd, pid);
    JsonObject figures = new JsonObject().put("connections", connections);
    try (Crowd crowd = new Crowd(audience, connections, 0)) {
      crowd.connect();
      Memory is = settled(jcmd, pid);
      figures
          .put("bytesPerConnection", (is.resident - was.resident) / connections)
          .put("heapBytesPerConnection", (is.heap - was.heap) / connections)
          .put("residentBefore", was.resident)
          .put("residentAfter", is.resident)
          .put("lost", crowd.report(0).seen().lostViewers());
    }
    SocketStates left = SocketStates.awaitNone(port, CLOSING_SECONDS);
    return figures
        .put("socketsLeft", left.left())
        .put("inCloseWait", left.closeWait())
        .put("inFinWait2", left.finWait2());
  }

  /** In bytes. */
  private record Memory(long resident, long heap) {}

  private Memory settled(Jcmd jcmd, long pid) throws IOException, InterruptedException {
    jcmd.collect();
    long heap = jcmd.liveBytes();
    TimeUnit.SECONDS.sleep(settleSeconds);
    return new Memory(ProcessCost.of(pid).residentBytes(), heap);
  }
}
