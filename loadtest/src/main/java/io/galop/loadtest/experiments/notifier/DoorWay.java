package io.galop.loadtest.experiments.notifier;

import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.client.ViewerGroup;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.run.Bench;
import io.galop.loadtest.scenario.Scenario;
import io.galop.loadtest.scenario.StartPlan;
import io.galop.loadtest.site.Site;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Galop's poll door asks the back end once for all sessions.
 *
 * @param thinkMs pause of the door between requests
 */
record DoorWay(Bench bench, double seconds, int thinkMs) {
  /** Until connections and code are warm. */
  static final long SETTLE_SECONDS = 5;

  private static final int MOST_CHANGES = 1 << 24;
  private static final int DATA_BYTES = 80;

  /** The cost of one number of sessions, with a back end at a port. */
  Spent spend(int count, int port) throws IOException, InterruptedException {
    bench.progress().phase(count + " sessions, one door");
    Scenario scenario = bench.scenario();
    StartPlan plan = scenario.start().with(scenario.start().stores(), config(port));
    try (Site site = bench.start(scenario.withStart(plan))) {
      ViewerGroup audience =
          ViewerGroup.of(site.browsers(), scenario.viewers().transport(), List.of("load/#"));
      try (Crowd crowd = new Crowd(audience, count, DATA_BYTES)) {
        crowd.connect();
        crowd.measureFrom(0, MOST_CHANGES);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        crowd.takeLatencies();
        long pid = site.pids().get(0);
        Spent.Moment before = Spent.Moment.of(pid, port);
        TimeUnit.MILLISECONDS.sleep(Math.round(1e3 * bench.seconds(seconds)));
        Spent.Moment after = Spent.Moment.of(pid, port);
        Histogram ages = crowd.takeLatencies();
        double p50 = Latencies.ms(ages, 50);
        double p99 = Latencies.ms(ages, 99);
        long seen = ages.getTotalCount();
        return Spent.between(before, after, pid, "one poll door", count, seen, p50, p99);
      }
    }
  }

  private Map<String, Object> config(int port) {
    Map<String, Object> source = new LinkedHashMap<>();
    source.put("name", "back-end");
    source.put("url", "http://127.0.0.1:" + port + "/");
    source.put("items", "/items");
    source.put("topic", "load/{id}");
    source.put("intervalMs", thinkMs);
    return Map.of("ingest", Map.of("poll", Map.of("sources", List.of(source))));
  }
}
