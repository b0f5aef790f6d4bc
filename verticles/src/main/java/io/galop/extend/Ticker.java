package io.galop.extend;

import io.vertx.core.Future;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Calls a handler periodically, never while it is not done; what is missed is counted. */
final class Ticker implements GalopApi.Ongoing {
  private final Guard guard;
  private final long periodNanos;
  private final Callable<?> handler;
  private long dueNanos;
  private long timer = -1;
  private boolean isEnded;

  Ticker(Guard guard, long ms, Callable<?> handler) {
    if (ms < 1) {
      throw new IllegalArgumentException("every needs a period of 1 ms at least, not " + ms);
    }
    this.guard = guard;
    this.periodNanos = TimeUnit.MILLISECONDS.toNanos(ms);
    this.handler = handler;
  }

  /** On the context of the instance. */
  void start() {
    dueNanos = System.nanoTime() + periodNanos;
    sleep(periodNanos);
  }

  private synchronized void sleep(long nanos) {
    if (!isEnded) {
      long ms = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
      timer = guard.context().owner().setTimer(ms, due -> tick());
    }
  }

  private void tick() {
    if (isEnded()) {
      return;
    }
    guard.meters().ticks().increment();
    Future<?> done = guard.call(handler);
    if (done.isComplete()) {
      next();
    } else {
      done.onComplete(ended -> guard.context().runOnContext(now -> next()));
    }
  }

  private void next() {
    long now = System.nanoTime();
    dueNanos += periodNanos;
    if (dueNanos < now) {
      long missed = (now - dueNanos) / periodNanos + 1;
      guard.meters().ticksMissed().increment(missed);
      dueNanos += missed * periodNanos;
    }
    sleep(dueNanos - now);
  }

  @Override
  public synchronized void end() {
    isEnded = true;
    guard.context().owner().cancelTimer(timer);
  }

  private synchronized boolean isEnded() {
    return isEnded;
  }
}
