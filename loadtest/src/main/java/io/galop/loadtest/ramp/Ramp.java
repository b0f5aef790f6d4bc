package io.galop.loadtest.ramp;

import io.galop.loadtest.client.AudienceReport;
import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.OpenLoopPublisher;
import io.galop.loadtest.sample.ServerSampler;
import io.galop.loadtest.sample.SocketStates;
import io.galop.loadtest.targets.Target;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** One run of the scenario. */
final class Ramp {
  private static final long CLOSING_SECONDS = 60;

  private final RampOptions options;
  private final Target target;
  private final Crowd crowd;
  private final OpenLoopPublisher publisher;
  private final ServerSampler sampler;
  private final Histogram latencies = Latencies.histogram();

  Ramp(
      RampOptions options,
      Target target,
      Crowd crowd,
      OpenLoopPublisher publisher,
      ServerSampler sampler) {
    this.options = options;
    this.target = target;
    this.crowd = crowd;
    this.publisher = publisher;
    this.sampler = sampler;
  }

  /** A step of one viewer. */
  private interface Step {
    void take() throws IOException, InterruptedException;
  }

  /** Returns whether all was as it should be. */
  boolean run() throws IOException, InterruptedException {
    for (int cycle = 1; cycle <= options.cycles; cycle++) {
      sampler.phase("connecting");
      pace(options.up, options.upSeconds, crowd::connectOne);
      crowd.awaitConnected();
      sampler.phase("disconnecting");
      pace(options.down, options.downSeconds, crowd::disconnectOne);
      sampler.phase("pause");
      TimeUnit.MILLISECONDS.sleep(Math.round(1_000 * options.pauseSeconds / options.shorten));
      publisher.check();
      report(cycle);
    }
    return finish();
  }

  /** Takes so many steps, evenly over a time. */
  private void pace(int steps, double seconds, Step step) throws IOException, InterruptedException {
    long start = System.nanoTime();
    double nanosPerStep = seconds / options.shorten * 1e9 / Math.max(1, steps);
    for (int i = 0; i < steps; i++) {
      long due = start + Math.round(i * nanosPerStep);
      TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
      step.take();
    }
  }

  private void report(int cycle) {
    Histogram taken = crowd.takeLatencies();
    latencies.add(taken);
    System.err.printf(
        Locale.ROOT,
        "cycle %d: %d viewers, p50 %.1f ms, p99 %.1f ms%n",
        cycle,
        crowd.present(),
        Latencies.ms(taken, 50),
        Latencies.ms(taken, 99));
  }

  private boolean finish() throws IOException, InterruptedException {
    sampler.phase("draining");
    long end = publisher.stopSoon();
    publisher.awaitEnd();
    AudienceReport report = crowd.drained(end);
    latencies.add(crowd.takeLatencies());
    sampler.phase("leaving");
    while (crowd.present() > 0) {
      crowd.disconnectOne();
    }
    SocketStates left = SocketStates.awaitNone(Set.of(target.http().getPort()), CLOSING_SECONDS);
    sampler.phase("after");
    sampler.close();
    sampler.write(options.directory);
    JsonObject json = figures(report, left);
    Files.writeString(options.directory.resolve("ramp.json"), json.encodePrettily() + "\n");
    System.out.print(sampler.print());
    System.out.println(json.encode());
    return report.seen().missing() == 0
        && report.seen().lostViewers() == 0
        && report.errorCount() == 0
        && left.left() == 0;
  }

  private JsonObject figures(AudienceReport report, SocketStates left) {
    return new JsonObject()
        .put("server", target.name())
        .put("received", report.seen().received())
        .put("missing", report.seen().missing())
        .put("duplicates", report.seen().duplicates())
        .put("lostViewers", report.seen().lostViewers())
        .put("errors", new JsonObject(new java.util.TreeMap<>(report.errors())))
        .put("p50Ms", Latencies.ms(latencies, 50))
        .put("p99Ms", Latencies.ms(latencies, 99))
        .put("maxMs", Latencies.ms(latencies, 100))
        .put("generatorLagP99Ms", Latencies.ms(publisher.lag(), 99))
        .put("socketsLeft", left.left())
        .put("inCloseWait", left.closeWait())
        .put("inFinWait2", left.finWait2());
  }
}
