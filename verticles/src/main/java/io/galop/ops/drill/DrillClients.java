package io.galop.ops.drill;

import io.galop.config.Role;
import io.galop.config.broadcast.SockJsTransport;
import io.galop.node.Node;
import io.galop.ops.drill.DrillRun.Way;
import io.galop.vertx.Loop;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.WebSocketClient;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What drills are at a node's own ports: a publisher, and a viewer on each transport. */
final class DrillClients {
  private final Node node;
  private final Loop loop;
  private final OwnPort port;
  private final HttpClient http;
  private final WebSocketClient websockets;

  DrillClients(Node node, Loop loop) {
    this.node = node;
    this.loop = loop;
    this.port = new OwnPort(node);
    this.http = loop.vertx().createHttpClient(port.http());
    this.websockets = loop.vertx().createWebSocketClient(port.websockets());
  }

  /** Why none of them can come in; empty: they can. */
  String closed() {
    return OwnPort.closed(node.config());
  }

  /** Why this node sends none; empty: it does. */
  String off() {
    return node.config().broadcast().link().isGiven()
        ? "a relay has no way into the cluster; it watches those of nodes inside"
        : closed();
  }

  DrillDoor door() {
    return new DrillDoor(node, http, port);
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

  /** One viewer on each transport, whether it is served or not. */
  Map<DrillStage, DrillViewer> viewers(Way way, Consumer<DrillEvent.OfViewer> events) {
    return Map.of(
        DrillStage.WEBSOCKET,
        new WebsocketViewer(websockets, port, way, events),
        DrillStage.XHR,
        new XhrViewer(http, port, way, events),
        DrillStage.EVENTS,
        new EventsViewer(http, port, way, events),
        DrillStage.MQTT,
        new SessionViewer(loop.vertx(), port, way, events));
  }
}
