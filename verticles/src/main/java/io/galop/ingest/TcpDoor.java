package io.galop.ingest;

import io.galop.bus.Node;
import io.galop.config.TcpDoorConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The tcp door: NDJSON or Protobuf, whichever a connection begins with. */
final class TcpDoor implements Door {
  private static final String NAME = "tcp";

  private final Vertx vertx;
  private final Node node;
  private final Intake intake;
  private final Token token;
  private final DoorMeters meters;
  private final NetServer server;
  private final Set<TcpConnection> connections = new HashSet<>();

  TcpDoor(Vertx vertx, Node node, Intake intake, Token token) {
    this.vertx = vertx;
    this.node = node;
    this.intake = intake;
    this.token = token;
    this.meters = new DoorMeters(node.meters(), NAME);
    TcpDoorConfig config = config();
    this.server =
        vertx
            .createNetServer(
                new NetServerOptions()
                    .setHost(config.host())
                    .setIdleTimeout(config.idleTimeoutSeconds()))
            .connectHandler(this::connect);
    node.meters().gauge("galop.ingest.connections", connections, Set::size);
  }

  private TcpDoorConfig config() {
    return node.config().ingest().tcp();
  }

  @Override
  public Future<Void> open() {
    return SharedPort.listen(
            vertx, NAME, config().port(), port -> server.listen(port).map(NetServer::actualPort))
        .onSuccess(port -> node.listeners().opened(NAME, config().host(), port))
        .mapEmpty();
  }

  private void connect(NetSocket socket) {
    if (intake.inFlight().isClosing()) {
      socket.close();
      return;
    }
    TcpConnection connection =
        new TcpConnection(socket, intake, node.config().ingest(), token, meters);
    connections.add(connection);
    connection.open().onComplete(ended -> connections.remove(connection));
  }

  @Override
  public Future<Void> close() {
    List.copyOf(connections).forEach(TcpConnection::end);
    return server.close().onComplete(closed -> node.listeners().closed(NAME));
  }
}
