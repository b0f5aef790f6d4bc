package io.galop.loadtest.inject;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.scenario.Injection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Sends records at a rate, over all its connections in turn, each at the time at which it is due or
 * as soon after as the door takes it. Its figures may be asked for by any thread at any time.
 */
public final class Injector implements AutoCloseable {
  private static final long START_MS = 20;

  private final List<InjectionLane> lanes;
  private final Injection plan;
  private volatile List<Sender> senders = List.of();
  private long next;

  /** Connects. */
  public Injector(Doors doors, Injection plan) throws IOException {
    this.plan = plan;
    this.lanes = Lanes.open(doors, plan);
  }

  /** The number that the next record will have. */
  public long next() {
    return next;
  }

  /**
   * Sends for a time, and returns when all is sent, or when so much later that nothing is gained by
   * going on.
   *
   * @param mostLateMs how late a record may be before this gives up
   * @return whether all was sent
   */
  public boolean send(double ratePerSecond, double seconds, double mostLateMs)
      throws IOException, InterruptedException {
    long count = Math.max(1, Math.round(ratePerSecond * seconds));
    long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MS);
    Schedule schedule = new Schedule(next, count, start, ratePerSecond);
    next += count;
    List<Sender> now = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      now.add(new Sender(lanes.get(i), schedule, i, lanes.size(), plan.groupUs(), mostLateMs));
    }
    senders = now;
    now.forEach(Thread::start);
    boolean isWhole = true;
    for (Sender sender : now) {
      sender.join();
      isWhole &= sender.isWhole();
    }
    check();
    return isWhole;
  }

  /** Fails if a connection has. */
  public void check() throws IOException {
    for (InjectionLane lane : lanes) {
      if (lane.ledger().failure() != null) {
        throw new IOException("sending over " + plan.door() + ": " + lane.ledger().failure());
      }
    }
  }

  public long sent() {
    return lanes.stream().mapToLong(lane -> lane.ledger().sent()).sum();
  }

  public long acked() {
    return lanes.stream().mapToLong(lane -> lane.ledger().acked()).sum();
  }

  /** How many of those acknowledged the door has rejected. */
  public long refused() {
    return lanes.stream().mapToLong(lane -> lane.ledger().refused()).sum();
  }

  /** From due to acknowledged, since this was asked last. */
  public Histogram takeLatencies() {
    Histogram all = Latencies.histogram();
    lanes.forEach(lane -> all.add(lane.ledger().takeLatencies()));
    return all;
  }

  /** How late the threads woke in the last {@link #send}: the generator's own fault. */
  public Histogram lag() {
    Histogram all = Latencies.histogram();
    senders.forEach(sender -> all.add(sender.lag()));
    return all;
  }

  @Override
  public void close() throws IOException {
    for (InjectionLane lane : lanes) {
      lane.close();
    }
  }
}
