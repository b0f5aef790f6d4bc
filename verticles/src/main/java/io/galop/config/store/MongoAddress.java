package io.galop.config.store;

import java.util.List;

/** Where a MongoDB is and who Galop is to it. */
public interface MongoAddress {
  /** {@code host:port}, at least one. */
  List<String> hosts();

  /** Empty for a single server. */
  String replicaSet();

  String database();

  /** The database that knows the user. */
  String loginDatabase();

  StoreLoginConfig login();

  StoreTlsConfig tls();

  /** Checks a list of hosts. */
  static List<String> checkedHosts(List<String> hosts) {
    if (hosts.isEmpty()) {
      throw new IllegalArgumentException("hosts must name a server");
    }
    for (String host : hosts) {
      if (!host.matches("[^\\s/@?,]+:\\d{1,5}")) {
        throw new IllegalArgumentException("hosts must be host:port, not '" + host + "'");
      }
    }
    return List.copyOf(hosts);
  }
}
