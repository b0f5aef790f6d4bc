package io.galop.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.XmlConfigBuilder;
import io.galop.config.ClusterConfig;
import io.galop.config.Role;
import io.galop.jvm.UnsafeWarning;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Hazelcast's configuration: cluster.xml with the values of Galop's keys. */
final class HazelcastSettings {
  private final ClusterConfig cluster;
  private final String name;
  private final int port;
  private final NodeAttributes attributes;
  private final MemberNames names;

  HazelcastSettings(
      ClusterConfig cluster, String name, int port, NodeAttributes attributes, MemberNames names) {
    this.cluster = cluster;
    this.name = name;
    this.port = port;
    this.attributes = attributes;
    this.names = names;
  }

  /**
   * Blocks until the names of members are known, or will not be.
   *
   * @throws io.galop.yaml.ConfigException if no name gets an address
   */
  static HazelcastSettings await(
      ClusterConfig cluster, String name, int port, NodeAttributes attributes) {
    MemberNames names = MemberNames.await(cluster, port, attributes.roles().contains(Role.PERSIST));
    return new HazelcastSettings(cluster, name, port, attributes, names);
  }

  /** A new one for each try to join; waits for nothing. */
  Config config() {
    UnsafeWarning.silence();
    OpenCluster.shortenLocks();
    Properties values = new Properties();
    values.setProperty("galop.cluster.name", name);
    values.setProperty("galop.cluster.host", cluster.host());
    values.setProperty("galop.cluster.port", Integer.toString(port));
    values.setProperty("galop.cluster.members", String.join(",", cluster.members()));
    values.setProperty(
        "galop.cluster.maxSilenceSeconds", Integer.toString(cluster.maxSilenceSeconds()));
    Config config;
    try (InputStream xml = HazelcastSettings.class.getResourceAsStream("/cluster.xml")) {
      config = new XmlConfigBuilder(xml).setProperties(values).build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (names.isAny()) {
      JoinConfig join = config.getNetworkConfig().getJoin();
      join.setTcpIpConfig(new NamedMembers(join.getTcpIpConfig(), names));
    }
    attributes.writeTo(config.getMemberAttributeConfig());
    return config;
  }
}
