package io.galop;

import io.galop.config.NodeConfig;
import io.galop.config.SocketTransport;
import io.galop.socket.ServerSockets;
import io.galop.yaml.ConfigException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.util.List;
import java.util.Optional;

/** What carries the bytes of a node's sockets, as configured. */
final class Sockets {
  private final ServerSockets listening;
  private final Transport chosen;

  private Sockets(NodeConfig config, Transport chosen) {
    this.listening = new ServerSockets(config.keepAliveSeconds());
    this.chosen = chosen;
  }

  /**
   * Looks whether this machine has what is configured.
   *
   * @throws ConfigException if not, with why and what to do
   */
  static Sockets of(NodeConfig config) {
    SocketTransport wanted = config.transport();
    Optional<Transport> there = Optional.ofNullable(transport(wanted));
    if (there.map(Transport::available).orElse(false)) {
      return new Sockets(config, there.get());
    }
    if (wanted == SocketTransport.AUTO) {
      return new Sockets(config, Transport.NIO);
    }
    String why =
        there.map(Transport::unavailabilityCause).map(Throwable::getMessage).orElse("not here");
    throw new ConfigException(
        List.of(
            "node.transport: %s is not to be had on this machine (%s); take auto or nio"
                .formatted(wanted == SocketTransport.EPOLL ? "epoll" : "io-uring", why)));
  }

  /** Null where the program was packed without it. */
  private static Transport transport(SocketTransport wanted) {
    return switch (wanted) {
      case AUTO, EPOLL -> Transport.EPOLL;
      case IO_URING -> Transport.IO_URING;
      case NIO -> Transport.NIO;
    };
  }

  VertxBuilder builder(VertxOptions options) {
    return Vertx.builder().with(options).withTransport(listening.over(chosen));
  }

  /** Those of the builder's Vert.x that are listened on. */
  ServerSockets listening() {
    return listening;
  }
}
