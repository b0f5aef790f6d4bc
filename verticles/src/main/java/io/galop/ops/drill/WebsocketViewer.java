package io.galop.ops.drill;

import io.galop.ops.drill.DrillRun.Way;
import io.vertx.core.Future;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A viewer with a raw websocket, as pages have that use no SockJS. */
final class WebsocketViewer extends DrillViewer {
  private final WebSocketClient client;
  private final OwnPort port;
  private final String topic;
  private @Nullable WebSocket socket;

  WebsocketViewer(
      WebSocketClient client, OwnPort port, Way way, Consumer<DrillEvent.OfViewer> events) {
    super(DrillStage.WEBSOCKET, way, events);
    this.client = client;
    this.port = port;
    this.topic = way.topic();
  }

  @Override
  Future<?> connect(String since, Consumer<String> messages, Runnable onEnd) {
    JsonObject headers = new JsonObject().put("since", since).put("words", true);
    JsonObject register =
        new JsonObject().put("type", "register").put("address", topic).put("headers", headers);
    return client
        .connect(port.websocket("/live/websocket"))
        .compose(
            open -> {
              socket = open;
              open.textMessageHandler(messages::accept).closeHandler(closed -> onEnd.run());
              return open.writeTextMessage(register.encode());
            });
  }

  @Override
  void disconnect() {
    if (socket != null) {
      socket.close();
    }
  }
}
