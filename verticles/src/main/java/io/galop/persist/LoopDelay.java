package io.galop.persist;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * How late this node's event loops are: by how much a timer of each fires behind its time. That is
 * how long whatever comes in waits before it is looked at, whether since the loop is busy or since
 * its thread is not given a processor. Costs each loop a timer of 10 ms.
 */
final class LoopDelay {
  private static final long LOOK_EVERY_MS = 10;
  private static final long LOOK_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY_MS);

  /** What was late is still catching up. */
  private static final long REMEMBERED_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final long limitNs;
  private final List<Loop> loops = new CopyOnWriteArrayList<>();

  /**
   * Without loops yet.
   *
   * @param limitMs what is later is late, in milliseconds; 0: nothing ever is
   */
  LoopDelay(int limitMs, MeterRegistry meters) {
    this.limitNs = limitMs == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(limitMs);
    Gauge.builder("galop.loop.delay.seconds", this, delay -> delay.nanos() / 1e9)
        .description("How late the latest event loop is")
        .strongReference(true)
        .register(meters);
  }

  /**
   * Watches the event loop that calls.
   *
   * @return ends that
   */
  Runnable watch(Vertx vertx) {
    Loop loop = new Loop(System.nanoTime());
    long timer = vertx.setPeriodic(LOOK_EVERY_MS, id -> loop.onTime(System.nanoTime()));
    loops.add(loop);
    return () -> {
      vertx.cancelTimer(timer);
      loops.remove(loop);
    };
  }

  /** Whether one of the event loops is late, or was a moment ago. From any thread. */
  boolean isLate() {
    return limitNs < Long.MAX_VALUE && nanos() > limitNs;
  }

  /** How late the latest is or was within the last 50 ms, in nanoseconds. */
  private long nanos() {
    long now = System.nanoTime();
    long most = 0;
    for (Loop loop : loops) {
      most = Math.max(most, loop.nanos(now));
    }
    return most;
  }

  /** Written by the event loop, read by others. */
  private static final class Loop {
    private volatile long dueNs;
    private volatile long lateNs;
    private volatile long wasLateNs;

    Loop(long nowNs) {
      dueNs = nowNs + LOOK_EVERY_NS;
    }

    /** Vert.x makes up for firings that were missed: each was due when it would have come. */
    void onTime(long nowNs) {
      long late = behind(nowNs);
      dueNs = Math.min(dueNs, nowNs) + LOOK_EVERY_NS;
      if (late >= lateNs || nowNs - wasLateNs > REMEMBERED_NS) {
        lateNs = late;
        wasLateNs = nowNs;
      }
    }

    long nanos(long nowNs) {
      return Math.max(lateNs, behind(nowNs));
    }

    private long behind(long nowNs) {
      return Math.max(0, nowNs - dueNs);
    }
  }
}
