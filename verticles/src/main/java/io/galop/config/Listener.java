package io.galop.config;

import io.galop.config.ingest.IngestConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An address and port that a node listens on.
 *
 * @param name what it is called in logs and reports
 * @param section the dotted path of what configures it
 * @param portKey the dotted path of its port
 * @param host the address
 * @param port the port; 0 takes a free one
 * @param takesRecords whether records can be sent to it
 */
public record Listener(
    String name, String section, String portKey, String host, int port, boolean takesRecords) {
  public static final String HTTP = "http";
  public static final String MANAGEMENT = "management";
  public static final String CLUSTER = "cluster";
  public static final String BUS = "bus";
  public static final String TCP = "tcp";
  public static final String MQTT = "mqtt";
  public static final String BRIDGE = "bridge";

  private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "0:0:0:0:0:0:0:1");

  /** All listeners that a node with this configuration opens. */
  public static List<Listener> of(GalopConfig config) {
    List<Listener> listeners = new ArrayList<>();
    HttpConfig http = config.http();
    listeners.add(in(HTTP, HTTP, http.host(), http.port(), config.runs(Role.INGEST)));
    ManagementConfig management = config.management();
    listeners.add(in(MANAGEMENT, MANAGEMENT, management.host(), management.port(), false));
    if (config.cluster().isClustered()) {
      listeners.add(members(config.cluster()));
      listeners.add(bus(config.cluster()));
    }
    if (config.runs(Role.INGEST)) {
      addDoors(config.ingest(), listeners);
    }
    return listeners;
  }

  /** Hazelcast's. */
  public static Listener members(ClusterConfig cluster) {
    return in(CLUSTER, CLUSTER, cluster.host(), cluster.port(), false);
  }

  /** The event bus's. */
  public static Listener bus(ClusterConfig cluster) {
    String key = CLUSTER + ".busPort";
    return new Listener(BUS, CLUSTER, key, cluster.host(), cluster.busPort(), false);
  }

  private static void addDoors(IngestConfig ingest, List<Listener> listeners) {
    if (ingest.tcp().enabled()) {
      listeners.add(in(TCP, "ingest.tcp", ingest.tcp().host(), ingest.tcp().port(), true));
    }
    if (ingest.mqtt().enabled()) {
      listeners.add(in(MQTT, "ingest.mqtt", ingest.mqtt().host(), ingest.mqtt().port(), true));
    }
    if (ingest.bridge().enabled()) {
      listeners.add(in(BRIDGE, "ingest.bridge", "127.0.0.1", ingest.bridge().port(), true));
    }
  }

  private static Listener in(
      String name, String section, String host, int port, boolean takesRecords) {
    return new Listener(name, section, section + ".port", host, port, takesRecords);
  }

  /** The one of a name, which the configuration must have. */
  public static Listener of(GalopConfig config, String name) {
    return of(config).stream()
        .filter(listener -> listener.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no listener " + name + " is configured"));
  }

  /** The dotted path of its address. */
  public String hostKey() {
    return section + ".host";
  }

  /** The dotted path that closes it, where it can be done without. */
  public Optional<String> enabledKey() {
    return section.startsWith("ingest.") ? Optional.of(section + ".enabled") : Optional.empty();
  }

  /** Whether it is reached at every address of the machine. */
  public boolean isAnyAddress() {
    return host.equals("0.0.0.0") || host.matches("[0:]+");
  }

  /** Whether only this machine can reach it; names other than localhost are not looked up. */
  public boolean isLoopback() {
    return LOOPBACK.contains(host) || host.matches("127(\\.\\d{1,3}){3}");
  }
}
