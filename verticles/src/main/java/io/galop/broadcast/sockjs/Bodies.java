package io.galop.broadcast.sockjs;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The bodies of requests that are not complete yet, on one event loop. Each takes memory, and who
 * sends a byte now and then would keep it for ever: so each has so long.
 */
final class Bodies {
  private final int maxBytes;
  private final long maxNanos;
  private final Set<Body> underWay = new HashSet<>();

  /**
   * @param maxBytes largest one
   * @param maxMs how long one may take
   */
  Bodies(int maxBytes, long maxMs) {
    this.maxBytes = maxBytes;
    this.maxNanos = TimeUnit.MILLISECONDS.toNanos(maxMs);
  }

  /** Hands on the body when all of it is there; answers if it is too large or takes too long. */
  void read(HttpServerRequest request, Consumer<Buffer> onBody) {
    Body body = new Body(request, maxBytes);
    underWay.add(body);
    body.read(
        complete -> {
          underWay.remove(body);
          complete.ifPresent(onBody);
        });
  }

  /** Turns away those that take too long. To be called now and then. */
  void refuseLate(long nowNanos) {
    for (Body body : List.copyOf(underWay)) {
      if (nowNanos - body.beganNanos() > maxNanos) {
        body.refuse(408, "a request must be complete within " + maxNanos / 1_000_000 + " ms");
      }
    }
  }
}
