package io.galop.ingest;

import io.galop.bus.BridgeServer;
import io.galop.bus.Node;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Lets others of this machine reach the bus door over TCP. */
final class BridgeDoor implements Door {
  private static final String NAME = "bridge";

  private final Vertx vertx;
  private final Node node;
  private Future<BridgeServer> server = Future.failedFuture("not open");

  BridgeDoor(Vertx vertx, Node node) {
    this.vertx = vertx;
    this.node = node;
  }

  @Override
  public Future<Void> open() {
    int port = node.config().ingest().bridge().port();
    server =
        BridgeServer.open(vertx, port)
            .recover(failure -> Future.failedFuture(DoorPort.taken(NAME, port, failure)))
            .onSuccess(open -> node.listeners().opened(NAME, BridgeServer.HOST, open.port()));
    return server.mapEmpty();
  }

  @Override
  public Future<Void> close() {
    node.listeners().closed(NAME);
    return server.compose(BridgeServer::close);
  }
}
