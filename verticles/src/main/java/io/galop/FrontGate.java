package io.galop;

import io.galop.config.HttpConfig;
import io.galop.socket.SmallReads;
import io.galop.vertx.HttpChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Turns connections away that are too many, on one event loop: with an answer to their first
 * request, since a browser learns nothing from a connection that just ends.
 */
final class FrontGate {
  /** How long a connection that is not served may stay, to ask and to read the answer. */
  private static final long GRACE_MS = 5000;

  private static final String SMALL_READS = "smallReads";
  private static final String HEAD_WATCH = "headWatch";

  private static final int COME_AGAIN_SECONDS = 5;

  private final Connections connections;
  private final long firstRequestTimeoutMs;
  private final Newcomers newcomers;
  private final Map<HttpConnection, Connections.Verdict> refused = new IdentityHashMap<>();

  FrontGate(Vertx vertx, Connections connections, HttpConfig config) {
    this.connections = connections;
    this.firstRequestTimeoutMs = TimeUnit.SECONDS.toMillis(config.firstRequestTimeoutSeconds());
    this.newcomers = new Newcomers(vertx, connections::late);
  }

  /**
   * A connection was made. Its end is heard from the channel, since Vert.x has room for one who
   * listens, and that may be somebody else. Who listens must not hold the connection itself: that
   * of a websocket is of no more use, and large.
   */
  void onConnection(HttpConnection connection) {
    String client = host(connection.remoteAddress());
    Connections.Verdict verdict = connections.opened(client, host(connection.remoteAddress(true)));
    Channel channel = channel(connection);
    ChannelFuture end = channel.closeFuture();
    end.addListener(closed -> connections.closed(client));
    if (verdict == Connections.Verdict.NO_PROXY) {
      connection.close();
    } else if (verdict != Connections.Verdict.WELCOME) {
      refused.put(connection, verdict);
      end.addListener(closed -> refused.remove(connection));
      newcomers.expect(connection, GRACE_MS);
    } else if (firstRequestTimeoutMs > 0) {
      newcomers.expect(connection, firstRequestTimeoutMs);
    }
    HeadWatch watch = new HeadWatch(() -> onHeadBegins(connection), () -> onHeadEnds(connection));
    HttpChannels.addBeforeRequests(channel.pipeline(), SMALL_READS, new SmallReads());
    HttpChannels.addBeforeRequests(channel.pipeline(), HEAD_WATCH, watch);
  }

  private static Channel channel(HttpConnection connection) {
    return HttpChannels.of(connection).channel();
  }

  /** The first has its time from the connection's beginning on. */
  private void onHeadBegins(HttpConnection connection) {
    if (firstRequestTimeoutMs > 0) {
      newcomers.expectAnother(connection, firstRequestTimeoutMs);
    }
  }

  /** The answer that tells a refused one so is waited for no longer, whatever it sends. */
  private void onHeadEnds(HttpConnection connection) {
    if (!refused.containsKey(connection)) {
      newcomers.onRequest(connection);
    }
  }

  private static void note(HttpServerRequest request) {
    HeadWatch watch = channel(request.connection()).pipeline().get(HeadWatch.class);
    if (watch != null) {
      watch.onRequest(request);
    }
  }

  private static String host(io.vertx.core.net.@Nullable SocketAddress address) {
    return address == null ? "unknown" : String.valueOf(address.hostAddress());
  }

  /** A handler before all others. */
  void check(RoutingContext context) {
    note(context.request());
    Connections.Verdict verdict =
        refused.isEmpty() ? null : refused.get(context.request().connection());
    if (verdict == null) {
      newcomers.onRequest(context.request().connection());
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
