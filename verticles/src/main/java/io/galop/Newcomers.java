package io.galop;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one event loop that have asked nothing yet. Whoever opens many and sends a
 * header a byte at a time would hold them for ever; here each has a time for its first request.
 */
final class Newcomers {
  private static final long LOOK_MS = 500;

  private final Vertx vertx;
  private final Map<HttpConnection, Long> dueNanos = new IdentityHashMap<>();
  private boolean looking;

  Newcomers(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Closes a connection if it asks nothing within a time; up to half a second later. */
  void expect(HttpConnection connection, long withinMs) {
    dueNanos.put(connection, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs));
    if (!looking) {
      looking = true;
      vertx.setTimer(LOOK_MS, timer -> look());
    }
  }

  /** The connection has asked. */
  void onRequest(HttpConnection connection) {
    if (!dueNanos.isEmpty()) {
      dueNanos.remove(connection);
    }
  }

  private void look() {
    long now = System.nanoTime();
    List<HttpConnection> late = new ArrayList<>();
    dueNanos.forEach(
        (connection, due) -> {
          if (now - due > 0 || !isOpen(connection)) {
            late.add(connection);
          }
        });
    late.forEach(dueNanos::remove);
    late.forEach(HttpConnection::close);
    looking = !dueNanos.isEmpty();
    if (looking) {
      vertx.setTimer(LOOK_MS, timer -> look());
    }
  }

  private static boolean isOpen(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext().channel().isOpen();
  }
}
