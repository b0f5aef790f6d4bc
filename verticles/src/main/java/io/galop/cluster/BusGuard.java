package io.galop.cluster;

import io.galop.config.ClusterConfig;
import io.galop.config.Listener;
import io.galop.socket.BusGate;
import io.galop.socket.ClusterSecret;
import io.galop.socket.ClusterTls;
import io.galop.socket.FrameBound;
import io.galop.socket.RefusalLog;
import io.galop.socket.ServerSockets;
import io.galop.socket.TlsGate;
import io.netty.channel.ChannelHandler;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What stands before the port of the event bus. Called by the thread that starts the node. */
final class BusGuard {
  private static final Logger LOG = LoggerFactory.getLogger(BusGuard.class);

  private BusGuard() {}

  /**
   * The stock event bus takes frames of any size from whoever connects to it: puts a bound and,
   * with certificates or a secret, a gate in front of it.
   *
   * @return the name that the members of the cluster have in common
   */
  static String stand(
      ClusterConfig cluster, int busPort, ServerSockets sockets, BusAddresses buses) {
    RefusalLog refusals = new RefusalLog(Listener.BUS);
    Supplier<ChannelHandler> bound =
        () ->
            new FrameBound(
                Listener.BUS, "cluster.maxFrameBytes", cluster.maxFrameBytes(), refusals);
    Optional<ClusterSecret> secret = ClusterSecret.of(cluster);
    Optional<ClusterTls> tls = ClusterTls.of(cluster);
    if (tls.isPresent()) {
      sockets.guard(busPort, () -> new TlsGate(tls.get(), refusals, bound.get()));
      sockets.knock(tls.get(), buses::contains);
    } else if (secret.isPresent()) {
      sockets.guard(busPort, () -> new BusGate(secret.get(), refusals, bound.get()));
      sockets.knock(secret.get(), buses::contains);
    } else {
      sockets.guard(busPort, bound);
      if (!Listener.bus(cluster).isLoopback()) {
        LOG.warn(
            "whoever reaches {} may speak on the event bus: neither cluster.secretFile nor"
                + " cluster.tls is given",
            cluster.host());
      }
    }
    return secret.map(known -> known.nameOf(cluster.name())).orElse(cluster.name());
  }
}
