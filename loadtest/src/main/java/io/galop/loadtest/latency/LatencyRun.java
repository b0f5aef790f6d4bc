package io.galop.loadtest.latency;

import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.targets.Target;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run against one server. */
final class LatencyRun {
  private static final long PATIENCE_SECONDS = 60;
  private static final long DRAIN_SECONDS = 10;
  private static final long LOOK_EVERY_MS = 50;

  private final Target target;
  private final Load load;
  private final List<ViewerLoop> loops = new ArrayList<>();

  LatencyRun(Target target, Load load) {
    this.target = target;
    this.load = load;
  }

  Figures run() throws IOException, InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(processors));
    try {
      connect(vertx, Math.min(processors, load.viewers()));
      try (Publisher publisher = new Publisher(load, target.tcp())) {
        warmUp(publisher);
        return measure(publisher);
      }
    } finally {
      vertx.close().await();
    }
  }

  private void connect(Vertx vertx, int count) {
    List<Future<String>> deployed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int share = load.viewers() / count + (i < load.viewers() % count ? 1 : 0);
      ViewerLoop loop = new ViewerLoop(target, load, share);
      loops.add(loop);
      deployed.add(vertx.deployVerticle(loop));
    }
    Future.all(deployed).await();
  }

  private void warmUp(Publisher publisher) throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(load.warmUpSeconds());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!ask(ViewerLoop::isWarm).stream().allMatch(warm -> warm)) {
      publisher.check();
      if (System.nanoTime() > deadline) {
        throw new IOException("some viewers of " + target.name() + " receive nothing");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private Figures measure(Publisher publisher) throws IOException, InterruptedException {
    long first = publisher.measureSoon();
    ask(
        loop -> {
          loop.measureFrom(first);
          return true;
        });
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
    Seen seen = Seen.sum(ask(ViewerLoop::seen));
    while (seen.missing() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      seen = Seen.sum(ask(ViewerLoop::seen));
    }
    return seen;
  }

  private <T> List<T> ask(java.util.function.Function<ViewerLoop, T> question) {
    return loops.stream().map(loop -> loop.ask(question).await()).toList();
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
