package io.galop;

import io.galop.bus.Bus;
import io.galop.cluster.ClusterStart;
import io.galop.config.ConfigSource;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.link.LinkEnds;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.scratch.ProcessDirectory;
import io.galop.socket.Listeners;
import io.galop.socket.TlsListeners;
import io.galop.yaml.ConfigException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running node. Starting and stopping block the caller, which must not be an event loop. */
public final class GalopNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GalopNode.class);
  private static final String PART = "node";
  private static final String ANY_ADDRESS = "^(0\\.0\\.0\\.0|\\[[0:]*]):";
  private static final long DRAIN_GRACE_SECONDS = 5;

  private final Vertx vertx;
  private final Node node;
  private final Stages stages;
  private final ConfigApply changes;
  private final LogLevels levels;
  private final AtomicBoolean closed = new AtomicBoolean();

  private GalopNode(Vertx vertx, Node node, Stages stages, ConfigSource source, LogLevels levels) {
    this.vertx = vertx;
    this.node = node;
    this.stages = stages;
    this.levels = levels;
    levels.follow(node.settings());
    this.changes = new ConfigApply(vertx, node.settings(), source);
    node.reports().offer(ConfigApply.REPORT, changes::apply);
  }

  /**
   * Starts a node and returns when it takes records and browsers.
   *
   * @throws io.galop.yaml.ConfigException if the configuration does not fit this machine or this
   *     cluster
   */
  public static GalopNode start(GalopConfig config) {
    return start(config, new ConfigSource(Optional.empty(), Map.of(), List.of(), Map.of()));
  }

  /**
   * The same for a configuration that can be read again, see {@link #reload}.
   *
   * @param source where {@code config} comes from
   */
  public static GalopNode start(GalopConfig config, ConfigSource source) {
    List<String> problems = new ArrayList<>(MemoryChecks.problems(config));
    problems.addAll(FileChecks.problems(config));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    LogLevels levels = new LogLevels();
    levels.take(config.logging()); // the cluster's lines come before there is a node
    Sockets sockets = Sockets.of(config.node());
    String name = NodeName.of(config.node());
    Metrics metrics = new Metrics();
    TlsListeners tls = TlsListeners.of(config);
    Listeners listeners = new Listeners(sockets.listening(), tls);
    ClusterStart.Started started =
        ClusterStart.start(config, name, options(config), sockets::builder, listeners);
    LinkEnds links = LinkEnds.of(config, name);
    Bus bus = links.open(started.vertx(), started.cluster());
    Node node = new Node(config, bus, metrics.registry(), new Readiness(), listeners);
    node.readiness().unready(PART, "starting");
    GalopNode galop =
        new GalopNode(
            started.vertx(),
            node,
            new Stages(started.vertx(), node, metrics, links),
            source,
            levels);
    try {
      galop.stages.start();
    } catch (RuntimeException e) {
      galop.close();
      throw e;
    }
    node.readiness().ready(PART);
    return galop;
  }

  private static VertxOptions options(GalopConfig config) {
    VertxOptions options = new VertxOptions();
    if (config.node().eventLoops() > 0) {
      options.setEventLoopPoolSize(config.node().eventLoops());
    } else {
      options.setEventLoopPoolSize(Runtime.getRuntime().availableProcessors());
    }
    try {
      Path cache = ProcessDirectory.path().resolve("vertx-cache");
      options.getFileSystemOptions().setFileCacheDir(cache.toString());
    } catch (IOException e) {
      LOG.warn(
          "the temporary directory {} cannot be written ({}), and what a node unpacks there is not"
              + " had, such as BoringSSL and the embedded store; make it writable, or name another"
              + " with -Djava.io.tmpdir=DIRECTORY",
          System.getProperty("java.io.tmpdir"),
          e.toString());
      options.getFileSystemOptions().setClassPathResolvingEnabled(false); // it needs a place there
    }
    return options;
  }

  /** Reads the configuration again and takes what needs no restart; the log says the rest. */
  void reload() {
    changes.reload();
  }

  /** The listeners that are open, by name. */
  public Map<String, String> listeners() {
    return node.listeners().open();
  }

  /** Where its page is, as seen from this machine; empty where it shows none. */
  public Optional<String> page() {
    return Optional.ofNullable(node.listeners().open().get("http"))
        .filter(address -> node.config().runs(Role.BROADCAST))
        .map(address -> address.replaceFirst(ANY_ADDRESS, "127.0.0.1:"))
        .map(address -> scheme() + address + "/");
  }

  private String scheme() {
    return node.config().http().tls().isGiven() ? "https://" : "http://";
  }

  /** Calls back when the cluster has shut the node out: then only another start helps. */
  void onShutOut(Runnable listener) {
    node.bus().cluster().onShutOut(listener);
  }

  /** The name of the node and what it runs, for the line that says that it is ready. */
  public String description() {
    return node.bus().cluster().self().name()
        + " "
        + node.config().roles().stream().map(Role::word).toList();
  }

  /**
   * Stops in order: unready, browsers sent away in the time configured for it, doors closed, what
   * is in flight acknowledged, browsers and the cluster left. After {@code node.shutdownTimeoutMs}
   * whatever is left is cut off; what was acknowledged is in the Log by then in any case.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    node.acts().tell("process", "stop", Map.of(), "begun");
    node.readiness().unready(PART, "shutting down");
    drain();
    long timeoutMs = node.config().node().shutdownTimeoutMs();
    try {
      stages.stop().await(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn("not stopped in order within {} ms", timeoutMs);
    } catch (RuntimeException e) {
      LOG.warn("not stopped in order: {}", e.getMessage());
    }
    try {
      vertx.close().await(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn("the cluster was not left within {} ms", timeoutMs);
    }
    levels.close();
  }

  private void drain() {
    var config = node.config().broadcast();
    long seconds = (long) config.drainWaitSeconds() + config.drainSeconds();
    try {
      stages.drain().await(seconds + DRAIN_GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("browsers were not sent away within {} s", seconds + DRAIN_GRACE_SECONDS);
    } catch (RuntimeException e) {
      LOG.warn("browsers were not sent away in order: {}", e.getMessage());
    }
  }
}
