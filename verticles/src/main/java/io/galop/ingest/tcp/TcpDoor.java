package io.galop.ingest.tcp;

import io.galop.config.Listener;
import io.galop.config.ingest.TcpDoorConfig;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.HalfSent;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.publisher.Publishers;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tcp door: NDJSON or Protobuf, whichever a connection begins with. */
public final class TcpDoor implements Door {
  private static final String NAME = Listener.TCP;

  private final Node node;
  private final Intake intake;
  private final Publishers publishers;
  private final DoorMeters meters;
  private final HalfSent halfSent;
  private final NetServer server;
  private final Map<TcpConnection, Future<Void>> connections = new HashMap<>();

  public TcpDoor(Vertx vertx, Node node, Intake intake, Publishers publishers) {
    this.node = node;
    this.intake = intake;
    this.publishers = publishers;
    this.meters = new DoorMeters(node.meters(), NAME);
    this.halfSent = new HalfSent(vertx, intake.inFlight(), node.config().ingest());
    TcpDoorConfig config = config();
    this.server =
        vertx
            .createNetServer(new NetServerOptions().setIdleTimeout(config.idleTimeoutSeconds()))
            .connectHandler(this::connect);
  }

  private TcpDoorConfig config() {
    return node.config().ingest().tcp();
  }

  @Override
  public Future<Void> open() {
    return node.listeners()
        .open(
            Listener.of(node.config(), NAME),
            port -> server.listen(port, config().host()).map(NetServer::actualPort));
  }

  private void connect(NetSocket socket) {
    if (intake.inFlight().isClosing()) {
      socket.close();
      return;
    }
    TcpConnection connection =
        new TcpConnection(socket, intake, node.config().ingest(), publishers, meters, halfSent);
    Future<Void> ended = connection.open();
    connections.put(connection, ended);
    ended.onComplete(gone -> connections.remove(connection));
  }

  /** The server closes last, since it takes its connections with it. */
  @Override
  public Future<Void> close() {
    node.listeners().closed(NAME);
    List<Future<Void>> ended = List.copyOf(connections.values());
    long withinMs = node.config().node().shutdownTimeoutMs() / 3;
    List.copyOf(connections.keySet()).forEach(connection -> connection.end(withinMs));
    return Future.join(ended).eventually(server::close).mapEmpty();
  }
}
