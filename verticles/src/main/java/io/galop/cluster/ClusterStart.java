package io.galop.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import io.galop.config.ClusterConfig;
import io.galop.config.GalopConfig;
import io.galop.config.Listener;
import io.galop.config.Role;
import io.galop.socket.ListenFailure;
import io.galop.socket.Listeners;
import io.galop.socket.ServerSockets;
import io.galop.yaml.ConfigException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts Vert.x and, where the configuration has members, joins them. */
public final class ClusterStart {
  /** Vert.x and the view of the cluster that belongs to it. */
  public record Started(Vertx vertx, Cluster cluster) {}

  /**
   * A peer that neither answers a ping nor takes a connection for so long is hung up on: until then
   * all that is sent to it waits in this process. What is sent is bounded by the senders.
   */
  private static final int STALL_MS = 2_000;

  /** How soon a node takes note that another has become {@link Cluster#open}. */
  private static final long LOOK_MS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(ClusterStart.class);

  private static final int FREE_FROM = 10_000;
  private static final int FREE_TO = 15_000;
  private static final int FREE_TRIES = 100;
  private static final long JOIN_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long JOIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What Hazelcast says of a member that was not taken. */
  private static final String REFUSED = "Node failed to start!";

  private ClusterStart() {}

  /** The same with a Vert.x of its own, on the transport that every machine has. */
  public static Started start(GalopConfig config, String name, VertxOptions options) {
    ServerSockets sockets = new ServerSockets();
    return start(
        config,
        name,
        options,
        with -> Vertx.builder().with(with).withTransport(sockets.over(Transport.NIO)),
        new Listeners(sockets));
  }

  /**
   * Starts a node's Vert.x; blocks until it has joined the cluster or is alone.
   *
   * @param build makes the builder, with whatever the caller wants set on it
   * @param listeners told of what the cluster listens on
   * @throws ConfigException if the others divide topics into another number of shards, or one has
   *     this node's name, or no name of a member gets an address
   */
  public static Started start(
      GalopConfig config,
      String name,
      VertxOptions options,
      Function<VertxOptions, VertxBuilder> build,
      Listeners listeners) {
    Set<Role> roles = Set.copyOf(config.roles());
    if (!config.cluster().isClustered()) {
      Vertx vertx = build.apply(options).build();
      return new Started(vertx, new LocalCluster(name, roles, config.node().shards()));
    }
    return join(config, name, roles, options, build, listeners);
  }

  private static Started join(
      GalopConfig config,
      String name,
      Set<Role> roles,
      VertxOptions options,
      Function<VertxOptions, VertxBuilder> build,
      Listeners listeners) {
    ClusterConfig cluster = config.cluster();
    Listener bus = Listener.bus(cluster);
    Listener members = Listener.members(cluster);
    int busPort = portOrFree(bus);
    int memberPort = portOrFree(members);
    int shards = config.node().shards();
    NodeAttributes attributes = new NodeAttributes(name, roles, shards, cluster.host(), busPort);
    reach(options, cluster.host(), busPort);
    BusAddresses buses = new BusAddresses();
    String clusterName = BusGuard.stand(cluster, busPort, listeners.sockets(), buses);
    Supplier<Config> settings =
        HazelcastSettings.await(cluster, clusterName, memberPort, attributes)::config;
    Joined joined =
        joined(
            () -> new NodeClusterManager(settings.get(), attributes, buses),
            manager -> build.apply(options).withClusterManager(manager));
    Vertx vertx = joined.vertx();
    FailedWrites.quieten(vertx);
    HazelcastInstance hazelcast = joined.manager().getHazelcastInstance();
    try {
      listeners.opened(bus, listeners.sockets().on(busPort));
      listeners.opened(members, HazelcastSockets.of(hazelcast));
      Neighbours.check(hazelcast, attributes, 2_000L * cluster.maxSilenceSeconds());
    } catch (ConfigException | ListenFailure e) {
      vertx.close().await();
      throw e;
    }
    HazelcastCluster seen = new HazelcastCluster(hazelcast, attributes, joined.manager());
    OpenCluster open = new OpenCluster(hazelcast, System::nanoTime);
    vertx.setPeriodic(LOOK_MS, timer -> look(vertx, seen, open));
    seen.watchConsumers(vertx);
    return new Started(vertx, seen);
  }

  private static void reach(VertxOptions options, String host, int busPort) {
    options
        .getEventBusOptions()
        .setHost(host)
        .setPort(busPort)
        .setConnectTimeout(STALL_MS)
        .setClusterPingInterval(STALL_MS)
        .setClusterPingReplyInterval(STALL_MS);
  }

  private record Joined(Vertx vertx, NodeClusterManager manager) {}

  /**
   * A cluster may take nobody for a while, as when its halves have been apart and one of them moves
   * over; Hazelcast ends a member that comes just then.
   */
  private static Joined joined(
      Supplier<NodeClusterManager> managers, Function<NodeClusterManager, VertxBuilder> builders) {
    long deadline = System.nanoTime() + JOIN_PATIENCE_NANOS;
    while (true) {
      NodeClusterManager manager = managers.get();
      try {
        return new Joined(builders.apply(manager).buildClustered().await(), manager);
      } catch (IllegalStateException refused) {
        if (!REFUSED.equals(refused.getMessage()) || System.nanoTime() - deadline > 0) {
          throw refused;
        }
        LOG.warn("the cluster takes no new member just now, trying again");
        LockSupport.parkNanos(JOIN_PAUSE_NANOS);
      }
    }
  }

  private static void look(Vertx vertx, HazelcastCluster seen, OpenCluster open) {
    seen.lookForOpened();
    if (open.isDue()) {
      open.opening(true);
      vertx
          .executeBlocking(
              () -> {
                open.open();
                return null;
              })
          .onComplete(done -> open.opening(false));
    }
  }

  /**
   * The others must know a port before the listener is open, so 0 is resolved here; and a port that
   * is taken is told of here, since Hazelcast tells of it in a page. It takes no address but those
   * that an interface has.
   */
  private static int portOrFree(Listener listener) {
    try {
      InetAddress host = InetAddress.getByName(listener.host());
      if (NetworkInterface.getByInetAddress(host) == null) {
        throw new UnknownHostException(listener.host() + " belongs to no interface");
      }
      if (listener.port() == 0) {
        return free(host);
      }
      try (ServerSocket probe = new ServerSocket(listener.port(), 1, host)) {
        return probe.getLocalPort();
      }
    } catch (IOException e) {
      throw ListenFailure.of(listener, e);
    }
  }

  /**
   * Below the ports of outgoing connections: one of those could take it before the listener is
   * open.
   */
  private static int free(InetAddress host) throws IOException {
    for (int i = 0; i < FREE_TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FREE_FROM, FREE_TO);
      try (ServerSocket probe = new ServerSocket(port, 1, host)) {
        return probe.getLocalPort();
      } catch (BindException taken) {
        LOG.debug("port {} is taken, trying another", port);
      }
    }
    try (ServerSocket probe = new ServerSocket(0, 1, host)) {
      return probe.getLocalPort();
    }
  }
}
