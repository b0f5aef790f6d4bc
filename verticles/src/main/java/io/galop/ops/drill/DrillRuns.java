package io.galop.ops.drill;

import io.galop.config.Role;
import io.galop.config.broadcast.SockJsTransport;
import io.galop.node.Node;
import io.galop.ops.cluster.ExplainEndpoint;
import io.galop.ops.drill.DrillRun.Way;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.WebSocketClient;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The door, the viewers and the questions of a node's drills. On one event loop. */
final class DrillRuns {
  private final Node node;
  private final Loop loop;
  private final OwnPort port;
  private final HttpClient http;
  private final WebSocketClient websockets;
  private final DrillDoor door;
  private final ExplainEndpoint nodes;

  DrillRuns(Node node, Loop loop) {
    this.node = node;
    this.loop = loop;
    this.port = new OwnPort(node);
    this.http = loop.vertx().createHttpClient(port.http());
    this.websockets = loop.vertx().createWebSocketClient(port.websockets());
    this.door = new DrillDoor(node, http, port);
    this.nodes = new ExplainEndpoint(loop.vertx(), node, loop);
  }

  /** Why this node has none; empty: it has. */
  String off() {
    return node.config().broadcast().link().isGiven()
        ? "a relay has no way into the cluster"
        : OwnPort.closed(node.config());
  }

  /** See {@link DrillDoor#word}. */
  String door() {
    return door.word();
  }

  /** Those that are served here and drilled. */
  Set<DrillStage> transports() {
    Set<DrillStage> served = EnumSet.noneOf(DrillStage.class);
    if (node.config().runs(Role.BROADCAST)) {
      served.add(DrillStage.EVENTS);
      Set<SockJsTransport> sockjs = Set.copyOf(node.config().broadcast().transports());
      if (sockjs.contains(SockJsTransport.WEBSOCKET)) {
        served.add(DrillStage.WEBSOCKET);
      }
      if (sockjs.contains(SockJsTransport.XHR_POLLING)) {
        served.add(DrillStage.XHR);
      }
      if (port.takesMqtt()) {
        served.add(DrillStage.MQTT);
      }
    }
    return served;
  }

  /** Runs one; ends when it is over. */
  Future<DrillVerdict> run(DrillPlan plan, Way way) {
    DrillRun run =
        new DrillRun(
            loop,
            door,
            nodes,
            way,
            plan,
            events ->
                Map.of(
                    DrillStage.WEBSOCKET,
                    new WebsocketViewer(websockets, port, way, events),
                    DrillStage.XHR,
                    new XhrViewer(http, port, way, events),
                    DrillStage.EVENTS,
                    new EventsViewer(http, port, way, events),
                    DrillStage.MQTT,
                    new SessionViewer(loop.vertx(), port, way, events)));
    return run.start();
  }
}
