package io.galop.loadtest.latency;

import io.galop.loadtest.sample.SocketStates;
import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.targets.Target;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One run against one server. */
public final class LatencyRun {
  private static final long PATIENCE_SECONDS = 60;
  private static final long DRAIN_SECONDS = 60;
  private static final long QUIET_SECONDS = 5;
  private static final long CLOSING_SECONDS = 30;
  private static final long LOOK_EVERY_MS = 50;

  /** The node is asked so long before the first message counts: an answer of it takes time. */
  private static final double BEFORE_SECONDS = 0.1;

  private final Target target;
  private final Load load;
  private final LatencyViewers viewers;
  private final String name;
  private final Optional<NodeLatency> node;

  /**
   * @param name of the run in the table
   * @param viewers to be connected to the target; closed when the run ends
   */
  public LatencyRun(String name, Target target, Load load, LatencyViewers viewers) {
    this(name, target, load, viewers, Optional.empty());
  }

  /**
   * @param node is asked what it says itself of the measured time
   */
  LatencyRun(
      String name, Target target, Load load, LatencyViewers viewers, Optional<NodeLatency> node) {
    this.name = name;
    this.target = target;
    this.load = load;
    this.viewers = viewers;
    this.node = node;
  }

  public Figures run() throws IOException, InterruptedException {
    Figures figures = watched();
    Set<Integer> ports =
        target.browsers().stream().map(InetSocketAddress::getPort).collect(Collectors.toSet());
    return target.pids().isEmpty()
        ? figures
        : figures.withSocketsLeft(SocketStates.awaitNone(ports, CLOSING_SECONDS).left());
  }

  private Figures watched() throws IOException, InterruptedException {
    try (viewers) {
      viewers.connect();
      try (OpenLoopPublisher publisher = new OpenLoopPublisher(load, target.tcp())) {
        warmUp(publisher);
        return measure(publisher);
      }
    }
  }

  private void warmUp(OpenLoopPublisher publisher) throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(load.warmUpSeconds());
    long patience = PATIENCE_SECONDS + Math.round(2 / load.ratePerSecond());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patience);
    while (!viewers.areWarm()) {
      publisher.check();
      if (System.nanoTime() > deadline) {
        throw new IOException("some viewers of " + target.name() + " receive nothing");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private Figures measure(OpenLoopPublisher publisher) throws IOException, InterruptedException {
    long first = publisher.measureSoon();
    viewers.measureFrom(first, load.messages());
    if (node.isPresent()) {
      publisher.awaitDue(first - Math.round(load.ratePerSecond() * BEFORE_SECONDS));
      node.get().begin();
    }
    publisher.awaitDue(first);
    ProcessCost before = ProcessCost.of(target.pids());
    long ownMicros = viewers.ownMicros();
    long startNanos = System.nanoTime();
    publisher.awaitEnd();
    Seen seen = drain();
    if (node.isPresent()) {
      node.get().end();
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    publisher.check();
    sayMissing(seen);
    double own = (viewers.ownMicros() - ownMicros) / 1e6 / seconds;
    ProcessCost after = ProcessCost.of(target.pids());
    return figures(publisher, seen, seconds, after.since(before), own);
  }

  private void sayMissing(Seen seen) {
    if (seen.missing() > 0) {
      System.err.printf(
          "%s: the first message that is missing is number %d of %d, the last number %d%n",
          name, seen.gap().first() + 1, load.messages(), seen.gap().last() + 1);
    }
  }

  private Figures figures(
      OpenLoopPublisher publisher,
      Seen seen,
      double seconds,
      ProcessCost spent,
      double ownProcessors) {
    double deliveries = Math.max(1, seen.received());
    boolean isKnown = !target.pids().isEmpty();
    return new Figures(
        name,
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
        isKnown ? spent.cpuMicros() / deliveries : Double.NaN,
        isKnown ? (spent.waits() + spent.preemptions()) / deliveries : Double.NaN,
        isKnown ? spent.residentBytes() / 1e6 : Double.NaN,
        0,
        Latencies.ms(publisher.lag(), 99),
        ownProcessors);
  }

  /** Waits for what is on its way until nothing has come for a while, and not for ever. */
  private Seen drain() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
    Seen seen = viewers.seen();
    long received = seen.received();
    long quietSince = System.nanoTime();
    while (seen.missing() > 0
        && System.nanoTime() < deadline
        && System.nanoTime() - quietSince < TimeUnit.SECONDS.toNanos(QUIET_SECONDS)) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      seen = viewers.seen();
      if (seen.received() > received) {
        received = seen.received();
        quietSince = System.nanoTime();
      }
    }
    return seen;
  }
}
