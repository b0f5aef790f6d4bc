package io.galop;

import io.netty.channel.ChannelFuture;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.RoutingContext;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Turns connections away that are too many, on one event loop: with an answer to their first
 * request, since a browser learns nothing from a connection that just ends.
 */
final class FrontGate {
  /** How long a connection that is not served may stay to ask. */
  private static final long GRACE_MS = 5000;

  private static final int COME_AGAIN_SECONDS = 5;

  private final Vertx vertx;
  private final Connections connections;
  private final Map<HttpConnection, Connections.Verdict> refused = new IdentityHashMap<>();

  FrontGate(Vertx vertx, Connections connections) {
    this.vertx = vertx;
    this.connections = connections;
  }

  /**
   * A connection was made. Its end is heard from the channel, since Vert.x has room for one who
   * listens, and that may be somebody else. Who listens must not hold the connection itself: that
   * of a websocket is of no more use, and large.
   */
  void onConnection(HttpConnection connection) {
    String client = host(connection.remoteAddress());
    Connections.Verdict verdict = connections.opened(client, host(connection.remoteAddress(true)));
    ChannelFuture end =
        ((HttpServerConnection) connection).channelHandlerContext().channel().closeFuture();
    end.addListener(closed -> connections.closed(client));
    if (verdict == Connections.Verdict.NO_PROXY) {
      connection.close();
    } else if (verdict != Connections.Verdict.WELCOME) {
      refused.put(connection, verdict);
      end.addListener(closed -> refused.remove(connection));
      vertx.setTimer(GRACE_MS, timer -> closeUnasked(connection));
    }
  }

  private static String host(io.vertx.core.net.SocketAddress address) {
    return address == null ? "unknown" : String.valueOf(address.hostAddress());
  }

  private void closeUnasked(HttpConnection connection) {
    if (refused.containsKey(connection)) {
      connection.close();
    }
  }

  /** A handler before all others. */
  void check(RoutingContext context) {
    Connections.Verdict verdict =
        refused.isEmpty() ? null : refused.get(context.request().connection());
    if (verdict == null) {
      context.next();
      return;
    }
    context
        .response()
        .setStatusCode(verdict.status())
        .putHeader("Content-Type", "application/json")
        .putHeader("Retry-After", Integer.toString(COME_AGAIN_SECONDS))
        .putHeader("Connection", "close")
        .end(
            "{\"error\":\"this node has as many connections as it allows; come back later\","
                + "\"reason\":\""
                + verdict.reason()
                + "\"}");
  }
}
