package io.galop.ingest.bus;

import io.galop.bus.BridgeServer;
import io.galop.config.Listener;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.publisher.Credential;
import io.galop.node.Node;
import io.galop.socket.FrameBound;
import io.galop.socket.RefusalLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Lets others of this machine reach the bus door over TCP. */
public final class BridgeDoor implements Door {
  private static final String NAME = Listener.BRIDGE;

  private final Vertx vertx;
  private final Node node;
  private Future<BridgeServer> server = Future.failedFuture("not open");

  public BridgeDoor(Vertx vertx, Node node) {
    this.vertx = vertx;
    this.node = node;
  }

  @Override
  public Future<Void> open() {
    int maxMessageBytes = node.config().ingest().bridge().maxMessageBytes();
    RefusalLog refusals = new RefusalLog(NAME);
    DoorMeters meters = new DoorMeters(node.meters(), BusDoor.NAME);
    return node.listeners()
        .open(
            Listener.of(node.config(), NAME),
            () -> frames(maxMessageBytes, refusals, meters),
            port -> {
              server = BridgeServer.open(vertx, port, Credential::subjectOf);
              return server.map(BridgeServer::port);
            });
  }

  private static BridgeFrames frames(int maxBytes, RefusalLog refusals, DoorMeters meters) {
    FrameBound bound = new FrameBound(NAME, "ingest.bridge.maxMessageBytes", maxBytes, refusals);
    return new BridgeFrames(bound, maxBytes, refusals, meters);
  }

  @Override
  public Future<Void> close() {
    node.listeners().closed(NAME);
    return server.compose(BridgeServer::close);
  }
}
