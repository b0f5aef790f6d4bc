package io.galop;

import io.galop.config.ConfigSource;
import io.galop.config.GalopConfig;
import io.galop.jvm.HangupSignal;
import io.galop.jvm.OutOfMemory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code galop run}: starts a node and serves until it is told to stop. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Starts a node and serves until SIGTERM or SIGINT.",
    footer = {
      "",
      "Without configuration: a single node with all roles on loopback, with its Log and an",
      "embedded store under ./data. To join other nodes, set cluster.members and cluster.host."
    })
class RunCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

  /** Whoever reads the log may pause for so long at the end. */
  private static final long LOG_PATIENCE_MS = 5_000;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The YAML configuration; 'galop check FILE' checks it.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--roles",
      paramLabel = "ROLE",
      split = ",",
      description = "The node's roles: ingest, enrich, persist, broadcast. Default: all.")
  private List<String> roles = List.of();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets one configuration key by its dotted path; repeatable.")
  private List<String> sets = List.of();

  /** What the command wants unless the user says otherwise, by dotted path. */
  Map<String, Object> overlay() {
    return Map.of();
  }

  @Override
  public Integer call() throws InterruptedException {
    Map<String, Object> overlay = new HashMap<>(overlay());
    List<String> all = new java.util.ArrayList<>(sets);
    if (!roles.isEmpty()) {
      all.add(0, "node.roles=[" + String.join(",", roles) + "]");
    }
    ConfigSource source = new ConfigSource(file, System.getenv(), all, overlay);
    GalopConfig config = source.load();
    OutOfMemory.endsTheProcess();
    GalopNode node = GalopNode.start(config, source);
    HangupSignal.listen(node::reload);
    stopAtTheEnd(node);
    node.onShutOut(() -> new Thread(() -> end(node), "galop-shut-out").start());
    announce(node);
    new CountDownLatch(1).await();
    return 0;
  }

  /** The process ends with 0 after SIGTERM: an ordered stop is a success, not a failure. */
  private static void stopAtTheEnd(GalopNode node) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  node.close();
                  end(0);
                },
                "galop-shutdown"));
  }

  /**
   * A node without its cluster would look alive and do nothing: whoever started it starts it anew.
   */
  private static void end(GalopNode node) {
    LOG.error("the cluster has shut this node out; the process ends with 1, start it again");
    node.close();
    end(1);
  }

  /** With the last lines of the log, if somebody reads them. */
  private static void end(int code) {
    try {
      QueuedConsole.drain(LOG_PATIENCE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it ends at once then
    }
    Runtime.getRuntime().halt(code);
  }

  private void announce(GalopNode node) {
    PrintWriter out = spec.commandLine().getOut();
    node.listeners().forEach((name, address) -> out.printf("listening %s %s%n", name, address));
    announceMore(node, out);
    out.printf("galop %s ready%n", node.description());
    out.flush();
  }

  /** What else a user wants to be told when the node is up. */
  void announceMore(GalopNode node, PrintWriter out) {
    node.page().ifPresent(page -> out.printf("page %s%n", page));
  }
}
