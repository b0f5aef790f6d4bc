package io.galop.loadtest.soak;

import io.galop.loadtest.client.AudienceReport;
import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.OpenLoopPublisher;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Watches viewers for minutes. */
final class Soak {
  private static final int REPORTS = 10;

  private final Crowd crowd;
  private final OpenLoopPublisher publisher;
  private final double minutes;
  private final Histogram latencies = Latencies.histogram();

  Soak(Crowd crowd, OpenLoopPublisher publisher, double minutes) {
    this.crowd = crowd;
    this.publisher = publisher;
    this.minutes = minutes;
  }

  /** Returns whether there was no error. */
  boolean run() throws IOException, InterruptedException {
    for (int part = 1; part <= REPORTS; part++) {
      TimeUnit.MILLISECONDS.sleep(Math.round(minutes * 60_000 / REPORTS));
      publisher.check();
      report(part);
    }
    long end = publisher.stopSoon();
    publisher.awaitEnd();
    AudienceReport report = crowd.drained(end);
    latencies.add(crowd.takeLatencies());
    System.out.println(figures(report).encodePrettily());
    return report.seen().missing() == 0
        && report.seen().received() > 0
        && report.seen().lostViewers() == 0
        && report.errorCount() == 0;
  }

  private void report(int part) {
    Histogram taken = crowd.takeLatencies();
    latencies.add(taken);
    AudienceReport report = crowd.report(0);
    System.err.printf(
        Locale.ROOT,
        "%.1f minutes: %d answers, %d reconnects, %d errors, p99 %.1f ms%n",
        minutes * part / REPORTS,
        report.answers(),
        report.reconnects(),
        report.errorCount(),
        Latencies.ms(taken, 99));
  }

  private JsonObject figures(AudienceReport report) {
    return new JsonObject()
        .put("answers", report.answers())
        .put("received", report.seen().received())
        .put("missing", report.seen().missing())
        .put("duplicates", report.seen().duplicates())
        .put("lostViewers", report.seen().lostViewers())
        .put("reconnects", report.reconnects())
        .put("errors", new JsonObject(new TreeMap<>(report.errors())))
        .put("p50Ms", Latencies.ms(latencies, 50))
        .put("p99Ms", Latencies.ms(latencies, 99))
        .put("maxMs", Latencies.ms(latencies, 100))
        .put("generatorLagP99Ms", Latencies.ms(publisher.lag(), 99));
  }
}
