package io.galop.broadcast;

import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Sends the browsers of one event loop away, evenly over a time. All on that loop. */
final class Departure {
  private static final long STEP_MS = 50;

  private final Vertx vertx;
  private final Hub hub;
  private final long overNanos;
  private final Deque<Subscriber> left;
  private final int all;
  private final long beginNanos = System.nanoTime();
  private final Promise<Void> done = Promise.promise();

  Departure(Vertx vertx, Hub hub, long overMs) {
    this.vertx = vertx;
    this.hub = hub;
    this.overNanos = TimeUnit.MILLISECONDS.toNanos(overMs);
    this.left = new ArrayDeque<>(hub.subscribers());
    this.all = left.size();
  }

  /** Begins; succeeds when all were told to go. */
  Future<Void> begin() {
    step();
    return done.future();
  }

  private void step() {
    double elapsed = System.nanoTime() - beginNanos;
    long due = elapsed >= overNanos ? all : (long) (all * (elapsed / overNanos));
    while (all - left.size() < due) {
      hub.disconnect(left.poll(), Disconnect.SHUTDOWN);
    }
    if (left.isEmpty()) {
      done.complete();
    } else {
      vertx.setTimer(STEP_MS, timer -> step());
    }
  }
}
