package io.galop.broadcast;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks at all viewers of one event loop, or at some, in turns of half a millisecond. Between two
 * of them the loop does what is due and what its sockets have, so that nobody waits longer for a
 * record.
 *
 * @param <T> what stands for a viewer
 */
final class ViewerWalk<T> {
  private static final long TURN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final Hub hub;
  private final List<T> viewers;
  private final Consumer<T> look;
  private final Promise<Void> over;
  private int next;

  private ViewerWalk(Hub hub, List<T> viewers, Consumer<T> look, Promise<Void> over) {
    this.hub = hub;
    this.viewers = viewers;
    this.look = look;
    this.over = over;
  }

  /**
   * Begins one over all; from any thread.
   *
   * @param look at one viewer, on its event loop
   * @return done there
   */
  static Future<Void> over(Hub hub, Consumer<Subscriber> look) {
    return LoopTurn.on(hub::post, hub::subscribers).compose(all -> over(hub, all, look));
  }

  /** The same over some; on their event loop. */
  static <T> Future<Void> over(Hub hub, List<T> some, Consumer<T> look) {
    Promise<Void> over = Promise.promise();
    new ViewerWalk<>(hub, some, look, over).turn();
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
