package io.galop.broadcast;

import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets the requests of one SockJS session pass one after the other. A browser's next request may
 * arrive on another event loop, and before the first loop has finished with the one that it has
 * just answered; the stock handler then opens the session a second time and the browser gives up.
 * One per node.
 */
final class SessionGate {
  private static final long PAUSE_MS = 1;

  private final Vertx vertx;
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  SessionGate(Vertx vertx) {
    this.vertx = vertx;
  }

  /** A handler for paths {@code /live/<server>/<session>/<transport>}; the body has been read. */
  void pass(RoutingContext context) {
    String[] levels = context.request().path().split("/", 6);
    String session = levels.length == 5 ? levels[3] : "";
    if (session.isEmpty()) {
      context.next();
    } else if (busy.add(session)) {
      try {
        context.next();
      } finally {
        busy.remove(session);
      }
    } else {
      vertx.setTimer(PAUSE_MS, timer -> pass(context));
    }
  }
}
