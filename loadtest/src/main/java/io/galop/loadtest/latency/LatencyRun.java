package io.galop.loadtest.latency;

import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.targets.Target;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** One run against one server. */
public final class LatencyRun {
  private static final long PATIENCE_SECONDS = 60;
  private static final long DRAIN_SECONDS = 10;
  private static final long LOOK_EVERY_MS = 50;

  private final Target target;
  private final Load load;
  private final Viewers viewers;

  /**
   * @param viewers to be connected to the target; closed when the run ends
   */
  public LatencyRun(Target target, Load load, Viewers viewers) {
    this.target = target;
    this.load = load;
    this.viewers = viewers;
  }

  public Figures run() throws IOException, InterruptedException {
    try (viewers) {
      viewers.connect();
      try (Publisher publisher = new Publisher(load, target.tcp())) {
        warmUp(publisher);
        return measure(publisher);
      }
    }
  }

  private void warmUp(Publisher publisher) throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(load.warmUpSeconds());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!viewers.areWarm()) {
      publisher.check();
      if (System.nanoTime() > deadline) {
        throw new IOException("some viewers of " + target.name() + " receive nothing");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private Figures measure(Publisher publisher) throws IOException, InterruptedException {
    long first = publisher.measureSoon();
    viewers.measureFrom(first);
    publisher.awaitDue(first);
    long serverMicros = serverMicros();
    long ownMicros = ProcessCost.cpuMicros(ProcessHandle.current().pid());
    long startNanos = System.nanoTime();
    publisher.awaitEnd();
    Seen seen = drain();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    publisher.check();
    double spent = serverMicros() - serverMicros;
    double own = ProcessCost.cpuMicros(ProcessHandle.current().pid()) - ownMicros;
    return new Figures(
        target.name(),
        seen.received() / seconds,
        Latencies.ms(seen.latencies(), 50),
        Latencies.ms(seen.latencies(), 99),
        Latencies.ms(seen.latencies(), 99.9),
        Latencies.ms(seen.latencies(), 100),
        seen.missing(),
        seen.duplicates(),
        seen.lostViewers(),
        Latencies.ms(publisher.acknowledged(), 50),
        Latencies.ms(publisher.acknowledged(), 99),
        target.pid().isEmpty() ? Double.NaN : spent / Math.max(1, seen.received()),
        residentMb(),
        Latencies.ms(publisher.lag(), 99),
        own / 1e6 / seconds);
  }

  /** Waits for what is on its way, but not for ever. */
  private Seen drain() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
    Seen seen = viewers.seen();
    while (seen.missing() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      seen = viewers.seen();
    }
    return seen;
  }

  private long serverMicros() throws IOException {
    return target.pid().isPresent() ? ProcessCost.cpuMicros(target.pid().getAsLong()) : 0;
  }

  private double residentMb() throws IOException {
    return target.pid().isPresent()
        ? ProcessCost.residentBytes(target.pid().getAsLong()) / 1e6
        : Double.NaN;
  }
}
