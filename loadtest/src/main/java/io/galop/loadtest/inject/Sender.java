package io.galop.loadtest.inject;

import io.galop.loadtest.latency.Latencies;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Sends one connection's share of a schedule. */
final class Sender extends Thread {
  private final InjectionLane lane;
  private final Schedule schedule;
  private final int first;
  private final int stride;
  private final long groupNanos;
  private final long mostLateNanos;
  private final Histogram lag = Latencies.histogram();
  private volatile boolean isWhole;

  Sender(
      InjectionLane lane,
      Schedule schedule,
      int first,
      int stride,
      long groupUs,
      double mostLateMs) {
    super("injector-" + first);
    setDaemon(true);
    this.lane = lane;
    this.schedule = schedule;
    this.first = first;
    this.stride = stride;
    this.groupNanos = TimeUnit.MICROSECONDS.toNanos(groupUs);
    this.mostLateNanos = (long) (mostLateMs * TimeUnit.MILLISECONDS.toNanos(1));
  }

  @Override
  public void run() {
    try {
      isWhole = sendAll();
    } catch (IOException e) {
      lane.ledger().onFailure(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      lane.ledger().onFailure(e.toString());
    }
  }

  private boolean sendAll() throws IOException {
    long wake = schedule.due(first);
    for (long index = first; index < schedule.count(); ) {
      await(Math.max(wake, schedule.due(index)));
      long now = System.nanoTime();
      if (now - schedule.due(index) > mostLateNanos || lane.ledger().failure() != null) {
        return false;
      }
      int count = due(index, now);
      lane.send(new ScheduleShare(schedule, index, count, stride));
      index += (long) count * stride;
      wake = now + groupNanos;
    }
    return true;
  }

  /** Waits; what it oversleeps is the generator's own lag, what a door makes wait is not. */
  private void await(long until) {
    long left = until - System.nanoTime();
    if (left <= 0) {
      return;
    }
    for (; left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    synchronized (lag) {
      Latencies.record(lag, -left);
    }
  }

  /** How many from there on are due. */
  private int due(long index, long now) {
    long most = (schedule.count() - index + stride - 1) / stride;
    long elapsed = now - schedule.startNanos();
    long dueIndex = (long) (elapsed / 1e9 * schedule.ratePerSecond());
    long due = (dueIndex - index) / stride + 1;
    return (int) Math.max(1, Math.min(Math.min(due, most), lane.mostAtOnce()));
  }

  /** Whether all was sent. */
  boolean isWhole() {
    return isWhole;
  }

  Histogram lag() {
    synchronized (lag) {
      return lag.copy();
    }
  }
}
