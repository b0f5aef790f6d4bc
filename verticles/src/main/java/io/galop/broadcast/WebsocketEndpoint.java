package io.galop.broadcast;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocketFrameEncoder;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The websockets: SockJS's at {@code <path>/<server>/<session>/websocket} and the raw one at {@code
 * <path>/websocket}. Vert.x makes the handshake and reads; Galop writes.
 */
final class WebsocketEndpoint {
  private final String path;
  private final Connections connections;

  /** Who takes the connections. */
  interface Connections {
    Connection connected(Transport transport);
  }

  WebsocketEndpoint(String path, Connections connections) {
    this.path = path;
    this.connections = connections;
  }

  /** Adds the routes; whoever may not connect must have been turned away before. */
  void mount(Router router) {
    router
        .routeWithRegex(HttpMethod.GET, path + "/[^/.]+/[^/.]+/websocket")
        .handler(upgrade(Framing.SOCKJS));
    router.get(path + "/websocket").handler(upgrade(Framing.RAW));
  }

  private Handler<RoutingContext> upgrade(Framing framing) {
    return context -> {
      if (isUpgrade(context.request())) {
        HttpServerRequest request = context.request();
        request.toWebSocket().onSuccess(socket -> connected(socket, out(request), framing));
      } else {
        context.next();
      }
    };
  }

  private static boolean isUpgrade(HttpServerRequest request) {
    return has(request, HttpHeaders.UPGRADE, "websocket")
        && has(request, HttpHeaders.CONNECTION, "upgrade");
  }

  private static boolean has(HttpServerRequest request, CharSequence header, String word) {
    String value = request.getHeader(header);
    return value != null && value.toLowerCase(Locale.ROOT).contains(word);
  }

  /**
   * Where bytes are written so that they pass TLS and time limits, but none of what makes frames.
   * The connection's class is not part of what Vert.x promises to keep: see docs/decisions.
   */
  private static ChannelHandlerContext out(HttpServerRequest request) {
    HttpServerConnection connection = (HttpServerConnection) request.connection();
    return connection.channelHandlerContext().pipeline().context(WebSocketFrameEncoder.class);
  }

  private void connected(ServerWebSocket socket, ChannelHandlerContext out, Framing framing) {
    WebsocketTransport transport = new WebsocketTransport(socket, new Wire(out), framing);
    transport.open();
    Connection connection = connections.connected(transport);
    Consumer<Buffer> messages = connection::onMessage;
    if (framing == Framing.SOCKJS) {
      socket.textMessageHandler(
          text -> {
            if (!SockMessages.each(text, messages)) {
              transport.cutOff();
            }
          });
    } else {
      socket.textMessageHandler(text -> messages.accept(Buffer.buffer(text)));
      socket.binaryMessageHandler(messages::accept);
    }
    socket.closeHandler(closed -> connection.onClosed());
    socket.exceptionHandler(
        broken -> {
          if (broken instanceof IllegalStateException) {
            connection.onMessageTooLarge();
          }
        });
  }
}
