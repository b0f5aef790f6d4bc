package io.galop.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An address and port that a node listens on.
 *
 * @param hostKey the dotted path of its address
 * @param portKey the dotted path of its port
 * @param takesRecords whether records can be sent to it
 */
record Listener(String hostKey, String host, String portKey, int port, boolean takesRecords) {
  private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "0:0:0:0:0:0:0:1");

  /** All listeners that a node with this configuration opens. */
  static List<Listener> of(GalopConfig config) {
    List<Listener> listeners = new ArrayList<>();
    HttpConfig http = config.http();
    listeners.add(in("http", http.host(), http.port(), config.runs(Role.INGEST)));
    ManagementConfig management = config.management();
    listeners.add(in("management", management.host(), management.port(), false));
    if (config.cluster().isClustered()) {
      ClusterConfig cluster = config.cluster();
      String host = cluster.host();
      listeners.add(in("cluster", host, cluster.port(), false));
      listeners.add(
          new Listener("cluster.host", host, "cluster.busPort", cluster.busPort(), false));
    }
    if (config.runs(Role.INGEST)) {
      addDoors(config.ingest(), listeners);
    }
    return listeners;
  }

  private static void addDoors(IngestConfig ingest, List<Listener> listeners) {
    if (ingest.tcp().enabled()) {
      listeners.add(in("ingest.tcp", ingest.tcp().host(), ingest.tcp().port(), true));
    }
    if (ingest.mqtt().enabled()) {
      listeners.add(in("ingest.mqtt", ingest.mqtt().host(), ingest.mqtt().port(), true));
    }
    if (ingest.bridge().enabled()) {
      listeners.add(in("ingest.bridge", "127.0.0.1", ingest.bridge().port(), true));
    }
  }

  private static Listener in(String section, String host, int port, boolean takesRecords) {
    return new Listener(section + ".host", host, section + ".port", port, takesRecords);
  }

  /** Whether only this machine can reach it; names other than localhost are not looked up. */
  boolean isLoopback() {
    return LOOPBACK.contains(host) || host.matches("127(\\.\\d{1,3}){3}");
  }
}
