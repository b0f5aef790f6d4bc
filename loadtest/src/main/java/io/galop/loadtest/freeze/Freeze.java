package io.galop.loadtest.freeze;

import io.galop.loadtest.client.AudienceReport;
import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.client.ViewerGroup;
import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.OpenLoopPublisher;
import io.galop.loadtest.sample.ProcessorTime;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Jcmd;
import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.targets.Started;
import io.galop.loadtest.targets.Target;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** One freeze of one node of a cluster of its own. */
final class Freeze {
  private static final long LOOK_EVERY_MS = 100;
  private static final double BYTES_PER_MB = 1 << 20;

  /** A full collection stands still for long enough that what waited meanwhile has to be over. */
  private static final long SETTLE_SECONDS = 5;

  private final FreezeOptions options;
  private final int freezeSeconds;

  Freeze(FreezeOptions options, int freezeSeconds) {
    this.options = options;
    this.freezeSeconds = freezeSeconds;
  }

  FreezeOutcome run() throws IOException, InterruptedException {
    GalopLaunch galop = options.node.galop(options.nodes);
    try (Started started = galop.start()) {
      Target target = started.target();
      int last = options.nodes - 1;
      try (Crowd others = crowd(target.browsers().subList(0, last), options.viewers * last);
          Crowd frozen = crowd(target.browsers().subList(last, last + 1), options.viewers)) {
        others.connect();
        frozen.connect();
        try (OpenLoopPublisher publisher = new OpenLoopPublisher(options.load(), target.tcp())) {
          return measure(
              target, new Jcmd(galop.java(), target.pids().get(0)), others, frozen, publisher);
        }
      }
    }
  }

  private Crowd crowd(List<InetSocketAddress> addresses, int viewers) {
    ViewerGroup audience = ViewerGroup.of(addresses, ViewerTransport.WEBSOCKET, List.of("load/#"));
    return new Crowd(audience, viewers, options.bytes);
  }

  /**
   * The first node's memory.
   *
   * @param heap what can be reached of it, in bytes
   * @param resident in bytes
   */
  private record Memory(long heap, long resident) {
    static Memory of(Jcmd jcmd, long pid) throws IOException, InterruptedException {
      long resident = ProcessCost.of(pid).residentBytes();
      return new Memory(jcmd.liveBytes(), resident);
    }
  }

  private FreezeOutcome measure(
      Target target, Jcmd jcmd, Crowd others, Crowd frozen, OpenLoopPublisher publisher)
      throws IOException, InterruptedException {
    long owner = target.pids().get(0);
    warmUp(publisher, others, frozen);
    publisher.measureNow();
    Memory was = Memory.of(jcmd, owner);
    TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    others.takeLatencies();
    TimeUnit.SECONDS.sleep(options.baselineSeconds);
    double beforeMs = Latencies.ms(others.takeLatencies(), 99);
    double duringMs;
    double stolen;
    Memory is;
    ProcessorTime time = ProcessorTime.now();
    try (Thaw thaw = Thaw.freeze(target.pids().get(options.nodes - 1))) {
      TimeUnit.SECONDS.sleep(freezeSeconds);
      duringMs = Latencies.ms(others.takeLatencies(), 99);
      stolen = ProcessorTime.now().stolenPercentSince(time);
      is = Memory.of(jcmd, owner);
    }
    long woken = System.nanoTime();
    AudienceReport ofFrozen = caughtUp(publisher, frozen);
    return new FreezeOutcome(
        freezeSeconds,
        beforeMs,
        duringMs,
        stolen,
        (is.heap - was.heap) / BYTES_PER_MB,
        (is.resident - was.resident) / BYTES_PER_MB,
        settled(others, publisher.end()),
        ofFrozen,
        (System.nanoTime() - woken) / 1e9);
  }

  /** Cold JVMs may be so late that viewers are sent away: what counts begins afterwards. */
  private void warmUp(OpenLoopPublisher publisher, Crowd... crowds)
      throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(options.warmUpSeconds);
    publisher.check();
    for (Crowd crowd : crowds) {
      crowd.replaceLost();
      crowd.follow();
    }
  }

  /** Lets messages flow on for a while, ends them, and waits for the rest. */
  private AudienceReport caughtUp(OpenLoopPublisher publisher, Crowd frozen)
      throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(options.afterSeconds);
    publisher.check();
    long end = publisher.stopSoon();
    publisher.awaitEnd();
    // Where this is seconds, the node or the machine cannot take so much, and nothing else says
    // much.
    System.err.printf(
        Locale.ROOT, "generator: lag p99 %.1f ms%n", Latencies.ms(publisher.lag(), 99));
    return settled(frozen, end);
  }

  /** Waits until nobody misses anything without knowing it, but not for ever. */
  private AudienceReport settled(Crowd crowd, long end) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.patienceSeconds);
    AudienceReport report = crowd.report(end);
    while (report.untold() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      report = crowd.report(end);
    }
    return report;
  }
}
