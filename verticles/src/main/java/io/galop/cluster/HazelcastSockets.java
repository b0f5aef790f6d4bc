package io.galop.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.server.tcp.ServerSocketRegistry;
import com.hazelcast.internal.server.tcp.TcpServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** What Hazelcast listens on in truth; what it tells of itself is what it was configured with. */
final class HazelcastSockets {
  private HazelcastSockets() {}

  static List<InetSocketAddress> of(HazelcastInstance hazelcast) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    if (hazelcast instanceof HazelcastInstanceProxy proxy
        && proxy.getOriginal().node.getServer() instanceof TcpServer server) {
      for (ServerSocketRegistry.Pair pair : server.getRegistry()) {
        addresses.add((InetSocketAddress) pair.getChannel().socket().getLocalSocketAddress());
      }
    }
    return addresses;
  }
}
