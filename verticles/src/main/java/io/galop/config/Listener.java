package io.galop.config;

import io.galop.config.broadcast.LinkConfig;
import io.galop.config.broadcast.MqttViewersConfig;
import io.galop.config.ingest.BridgeConfig;
import io.galop.config.ingest.IngestConfig;
import io.galop.config.ingest.MqttDoorConfig;
import io.galop.config.ingest.TcpDoorConfig;
import io.galop.config.tls.TlsConfig;
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
 * @param tls its TLS
 * @param mayBeClear whether others may reach it without TLS
 */
public record Listener(
    String name,
    String section,
    String portKey,
    String host,
    int port,
    boolean takesRecords,
    TlsConfig tls,
    boolean mayBeClear) {
  public static final String HTTP = "http";
  public static final String MANAGEMENT = "management";
  public static final String CLUSTER = "cluster";
  public static final String BUS = "bus";
  public static final String TCP = "tcp";
  public static final String MQTT = "mqtt";
  public static final String MQTT_VIEWERS = "mqtt-viewers";
  public static final String LINK = "link";
  public static final String BRIDGE = "bridge";

  private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "0:0:0:0:0:0:0:1");

  /** All listeners that a node with this configuration opens. */
  public static List<Listener> of(GalopConfig config) {
    List<Listener> listeners = new ArrayList<>();
    HttpConfig http = config.http();
    boolean isBehindProxy = !http.trustedProxies().isEmpty();
    listeners.add(
        in(HTTP, HTTP, http.host(), http.port())
            .takingRecords(config.runs(Role.INGEST))
            .with(http.tls(), http.insecure() || isBehindProxy));
    ManagementConfig management = config.management();
    listeners.add(
        in(MANAGEMENT, MANAGEMENT, management.host(), management.port())
            .with(management.tls(), management.insecure()));
    if (config.cluster().isClustered()) {
      listeners.add(members(config.cluster()));
      listeners.add(bus(config.cluster()));
    }
    LinkConfig link = config.broadcast().link();
    if (link.isGiven()) {
      listeners.add(in(LINK, "broadcast.link", link.host(), link.port()).with(link.tls(), false));
    }
    MqttViewersConfig viewers = config.broadcast().mqtt();
    if (config.runs(Role.BROADCAST) && viewers.enabled()) {
      listeners.add(
          in(MQTT_VIEWERS, "broadcast.mqtt", viewers.host(), viewers.port())
              .with(viewers.tls(), viewers.insecure()));
    }
    if (config.runs(Role.INGEST)) {
      addDoors(config.ingest(), listeners);
    }
    return listeners;
  }

  /** Hazelcast's, which knows no TLS. */
  public static Listener members(ClusterConfig cluster) {
    return in(CLUSTER, CLUSTER, cluster.host(), cluster.port()).with(TlsConfig.none(), true);
  }

  /** The event bus's, whose TLS is not that of the others: see {@link ClusterTlsConfig}. */
  public static Listener bus(ClusterConfig cluster) {
    String key = CLUSTER + ".busPort";
    return new Listener(
        BUS, CLUSTER, key, cluster.host(), cluster.busPort(), false, TlsConfig.none(), true);
  }

  private static void addDoors(IngestConfig ingest, List<Listener> listeners) {
    TcpDoorConfig tcp = ingest.tcp();
    if (tcp.enabled()) {
      listeners.add(
          in(TCP, "ingest.tcp", tcp.host(), tcp.port())
              .takingRecords(true)
              .with(tcp.tls(), tcp.insecure()));
    }
    MqttDoorConfig mqtt = ingest.mqtt();
    if (mqtt.enabled()) {
      listeners.add(
          in(MQTT, "ingest.mqtt", mqtt.host(), mqtt.port())
              .takingRecords(true)
              .with(mqtt.tls(), mqtt.insecure()));
    }
    BridgeConfig bridge = ingest.bridge();
    if (bridge.enabled()) {
      listeners.add(
          in(BRIDGE, "ingest.bridge", "127.0.0.1", bridge.port())
              .takingRecords(true)
              .with(bridge.tls(), false));
    }
  }

  private static Listener in(String name, String section, String host, int port) {
    String key = section + ".port";
    return new Listener(name, section, key, host, port, false, TlsConfig.none(), false);
  }

  private Listener takingRecords(boolean does) {
    return new Listener(name, section, portKey, host, port, does, tls, mayBeClear);
  }

  private Listener with(TlsConfig keys, boolean clear) {
    return new Listener(name, section, portKey, host, port, takesRecords, keys, clear);
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

  /** The dotted path of its TLS. */
  public String tlsKey() {
    return section + ".tls";
  }

  /** The dotted path that closes it, where it can be done without. */
  public Optional<String> enabledKey() {
    boolean isOptional = section.startsWith("ingest.") || name.equals(MQTT_VIEWERS);
    return isOptional ? Optional.of(section + ".enabled") : Optional.empty();
  }

  /** Whether it is reached at every address of the machine. */
  public boolean isAnyAddress() {
    return host.equals("0.0.0.0") || host.matches("[0:]+");
  }

  /** Whether only this machine can reach it; names other than localhost are not looked up. */
  public boolean isLoopback() {
    return isLoopback(host.replaceAll("^\\[(.*)]$", "$1")); // refused for its brackets only
  }

  static boolean isLoopback(String host) {
    return LOOPBACK.contains(host) || host.matches("127(\\.\\d{1,3}){3}");
  }
}
