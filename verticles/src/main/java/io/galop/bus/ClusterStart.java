package io.galop.bus;

import com.hazelcast.config.Config;
import com.hazelcast.config.XmlConfigBuilder;
import com.hazelcast.core.HazelcastInstance;
import io.galop.config.ClusterConfig;
import io.galop.config.ConfigException;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;

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

  private ClusterStart() {}

  /**
   * Starts a node's Vert.x; blocks until it has joined the cluster or is alone.
   *
   * @param build makes the builder, with whatever the caller wants set on it
   * @throws ConfigException if the others divide topics into another number of shards, or one has
   *     this node's name
   */
  public static Started start(
      GalopConfig config,
      String name,
      VertxOptions options,
      Function<VertxOptions, io.vertx.core.VertxBuilder> build) {
    Set<Role> roles = Set.copyOf(config.roles());
    if (!config.cluster().isClustered()) {
      Vertx vertx = build.apply(options).build();
      return new Started(vertx, new LocalCluster(name, roles, config.node().shards()));
    }
    return join(config, name, roles, options, build);
  }

  private static Started join(
      GalopConfig config,
      String name,
      Set<Role> roles,
      VertxOptions options,
      Function<VertxOptions, io.vertx.core.VertxBuilder> build) {
    ClusterConfig cluster = config.cluster();
    int busPort = portOrFree(cluster.host(), cluster.busPort());
    NodeAttributes attributes =
        new NodeAttributes(name, roles, config.node().shards(), cluster.host(), busPort);
    options
        .getEventBusOptions()
        .setHost(cluster.host())
        .setPort(busPort)
        .setConnectTimeout(STALL_MS)
        .setClusterPingInterval(STALL_MS)
        .setClusterPingReplyInterval(STALL_MS);
    NodeClusterManager manager = new NodeClusterManager(hazelcast(cluster, attributes), attributes);
    Vertx vertx = build.apply(options).withClusterManager(manager).buildClustered().await();
    FailedWrites.quieten(vertx);
    HazelcastInstance hazelcast = manager.getHazelcastInstance();
    try {
      Neighbours.check(hazelcast, attributes, 2_000L * cluster.maxSilenceSeconds());
    } catch (ConfigException e) {
      vertx.close().await();
      throw e;
    }
    HazelcastCluster seen = new HazelcastCluster(hazelcast, attributes, manager::onFirstData);
    vertx.setPeriodic(LOOK_MS, timer -> seen.look());
    return new Started(vertx, seen);
  }

  private static Config hazelcast(ClusterConfig cluster, NodeAttributes attributes) {
    UnsafeWarning.silence();
    Properties values = new Properties();
    values.setProperty("galop.cluster.name", cluster.name());
    values.setProperty("galop.cluster.host", cluster.host());
    values.setProperty(
        "galop.cluster.port", Integer.toString(portOrFree(cluster.host(), cluster.port())));
    values.setProperty("galop.cluster.members", String.join(",", cluster.members()));
    values.setProperty(
        "galop.cluster.maxSilenceSeconds", Integer.toString(cluster.maxSilenceSeconds()));
    Config config;
    try (InputStream xml = ClusterStart.class.getResourceAsStream("/cluster.xml")) {
      config = new XmlConfigBuilder(xml).setProperties(values).build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    attributes.writeTo(config.getMemberAttributeConfig());
    return config;
  }

  /** The others must know a port before the listener is open, so 0 is resolved here. */
  private static int portOrFree(String host, int port) {
    if (port != 0) {
      return port;
    }
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new ConfigException(
          List.of("cluster.host: cannot listen on " + host + ": " + e.getMessage()));
    }
  }
}
