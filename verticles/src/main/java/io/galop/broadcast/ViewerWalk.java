package io.galop.broadcast;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks at all viewers of one event loop, in turns of half a millisecond. Between two of them the
 * loop does what is due and what its sockets have, so that nobody waits longer for a record.
 */
final class ViewerWalk {
  private static final long TURN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final Hub hub;
  private final List<Subscriber> viewers;
  private final Consumer<Subscriber> look;
  private final Promise<Void> over;
  private int next;

  private ViewerWalk(Hub hub, Consumer<Subscriber> look, Promise<Void> over) {
    this.hub = hub;
    this.viewers = hub.subscribers();
    this.look = look;
    this.over = over;
  }

  /**
   * Begins one; from any thread.
   *
   * @param look at one viewer, on its event loop
   * @return done there
   */
  static Future<Void> over(Hub hub, Consumer<Subscriber> look) {
    Promise<Void> over = Promise.promise();
    hub.post(() -> new ViewerWalk(hub, look, over).turn());
    return over.future();
  }

  private void turn() {
    long begunNanos = System.nanoTime();
    try {
      while (next < viewers.size() && System.nanoTime() - begunNanos < TURN_NANOS) {
        look.accept(viewers.get(next++));
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      over.fail(fault);
      return;
    }
    if (next < viewers.size()) {
      hub.pulse().later(this::turn);
    } else {
      over.complete();
    }
  }
}
