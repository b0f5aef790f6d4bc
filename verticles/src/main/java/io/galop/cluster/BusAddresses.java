package io.galop.cluster;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the event buses of other nodes are, as their attributes say: one for each node that this
 * one has ever sent something. Safe to call from any thread.
 */
final class BusAddresses {
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  void put(String host, int port) {
    known.add(host + ':' + port);
  }

  boolean contains(SocketAddress address) {
    return address instanceof InetSocketAddress internet
        && (known.contains(internet.getHostString() + ':' + internet.getPort())
            || !internet.isUnresolved()
                && known.contains(
                    internet.getAddress().getHostAddress() + ':' + internet.getPort()));
  }
}
