package io.galop.loadtest.compare;

import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Peer;
import io.galop.loadtest.targets.Started;
import io.galop.loadtest.targets.TlsLaunch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What can be measured, by its name on the command line. */
public enum ServerName {
  GALOP("galop", null),
  GALOP_TLS("galop-tls", null),
  /** Galop in clear text behind HAProxy, which ends TLS. */
  HAPROXY("haproxy", null),
  EPOLL_LOOP("epoll-loop", Peer.EPOLL_LOOP),
  EPOLL_LOOP_TLS("epoll-loop-tls", Peer.EPOLL_LOOP_TLS),
  LOSING_LOOP("losing-loop", Peer.LOSING_LOOP),
  VERTX_BRIDGE("vertx-bridge", Peer.VERTX_BRIDGE),
  SOCKJS_NODE("sockjs-node", Peer.SOCKJS_NODE),
  SOCKET_IO("socket.io", Peer.SOCKET_IO);

  private final String name;
  private final @Nullable Peer peer;

  ServerName(String name, @Nullable Peer peer) {
    this.name = name;
    this.peer = peer;
  }

  /** Starts it; the peers are always one node. */
  public Started start(GalopLaunch galop) throws IOException, InterruptedException {
    return switch (this) {
      case GALOP_TLS -> TlsLaunch.galop(galop);
      case HAPROXY -> TlsLaunch.behindProxy(galop);
      default -> peer == null ? galop.start() : peer.start(galop.jvmFlags());
    };
  }

  public boolean speaks(ViewerTransport transport) {
    return switch (this) {
      case GALOP, GALOP_TLS, HAPROXY, VERTX_BRIDGE -> transport != ViewerTransport.SOCKET_IO;
      case SOCKJS_NODE ->
          transport != ViewerTransport.SOCKET_IO && transport != ViewerTransport.RAW_WEBSOCKET;
      default -> transport == ViewerTransport.WEBSOCKET;
    };
  }

  /** What a viewer really speaks where websockets are asked for. */
  public ViewerTransport dialect(ViewerTransport transport) {
    return this == SOCKET_IO ? ViewerTransport.SOCKET_IO : transport;
  }

  @Override
  public String toString() {
    return name;
  }
}
