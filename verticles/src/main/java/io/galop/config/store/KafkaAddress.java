package io.galop.config.store;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where a Kafka is and who Galop is to it. */
public interface KafkaAddress {
  /** {@code host:port} of brokers to begin with, at least one. */
  List<String> servers();

  /** Properties of Kafka's client, such as {@code security.protocol}; no secret. */
  Map<String, String> properties();

  /** A file with more of them, one a line, for secrets; empty: none. */
  String propertiesFile();

  /** What those words mean that stand in the keys of a secret property. */
  List<String> SECRETS = List.of("password", "jaas", "keystore.key", "secret");

  /** Checks a list of brokers. */
  static List<String> checkedServers(List<String> servers) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("servers must name a broker");
    }
    for (String server : servers) {
      if (!server.matches("[^\\s/@?,]+:\\d{1,5}")) {
        throw new IllegalArgumentException("servers must be host:port, not '" + server + "'");
      }
    }
    return List.copyOf(servers);
  }

  /** Checks properties: Galop prints them, so no secret may be among them. */
  static Map<String, String> checkedProperties(Map<String, String> properties) {
    for (String key : properties.keySet()) {
      String word = key.toLowerCase(Locale.ROOT);
      if (SECRETS.stream().anyMatch(word::contains)) {
        throw new IllegalArgumentException(
            "properties must hold no secret, as they are printed; put "
                + key
                + " into"
                + " propertiesFile");
      }
    }
    return Map.copyOf(properties);
  }
}
