package io.galop;

import io.galop.vertx.HttpChannels;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one event loop whose request is not there yet, the first or one that has
 * begun. Whoever opens many and sends a header a byte at a time would hold them for ever; here each
 * has a time for it.
 */
final class Newcomers {
  private static final long LOOK_MS = 500;

  private final Vertx vertx;
  private final Runnable onLate;
  private final Map<HttpConnection, Long> dueNanos = new IdentityHashMap<>();
  private boolean looking;

  /**
   * @param onLate is told of each connection that is closed
   */
  Newcomers(Vertx vertx, Runnable onLate) {
    this.vertx = vertx;
    this.onLate = onLate;
  }

  /** Closes a connection if it asks nothing within a time; up to half a second later. */
  void expect(HttpConnection connection, long withinMs) {
    dueNanos.put(connection, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs));
    if (!looking) {
      looking = true;
      vertx.setTimer(LOOK_MS, timer -> look());
    }
  }

  /** The same for a later request, unless one is expected already. */
  void expectAnother(HttpConnection connection, long withinMs) {
    if (!dueNanos.containsKey(connection)) {
      expect(connection, withinMs);
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
    for (HttpConnection connection : late) {
      if (isOpen(connection)) {
        onLate.run();
        connection.close();
      }
    }
    looking = !dueNanos.isEmpty();
    if (looking) {
      vertx.setTimer(LOOK_MS, timer -> look());
    }
  }

  private static boolean isOpen(HttpConnection connection) {
    return HttpChannels.of(connection).channel().isOpen();
  }
}
