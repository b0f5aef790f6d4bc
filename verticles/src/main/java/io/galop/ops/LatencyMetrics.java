package io.galop.ops;

import io.galop.latency.LatencyHistogram;
import io.galop.latency.LatencyStage;
import io.galop.latency.Lateness;
import io.galop.latency.Lateness.Uncounted;
import io.galop.node.Node;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How late records are, for those who look: as a histogram for Prometheus, and as a table of the
 * last minute. Safe to call from any thread.
 */
final class LatencyMetrics implements Collector {
  private static final double US_PER_SECOND = 1e6;
  private static final double US_PER_MS = 1e3;
  private static final Map<String, Double> QUANTILES = new LinkedHashMap<>();
  private static final List<Double> BOUNDS = new ArrayList<>();

  static {
    QUANTILES.put("p50", 0.5);
    QUANTILES.put("p90", 0.9);
    QUANTILES.put("p99", 0.99);
    QUANTILES.put("p999", 0.999);
    for (long us : LatencyHistogram.boundsUs()) {
      BOUNDS.add(us / US_PER_SECOND);
    }
    BOUNDS.add(Double.POSITIVE_INFINITY);
  }

  private final Lateness lateness;
  private final String node;

  private LatencyMetrics(Node node) {
    this.lateness = node.lateness();
    this.node = node.bus().cluster().self().name();
  }

  /** Shows them among the metrics of a node. */
  static void bind(Node node, PrometheusMeterRegistry registry) {
    registry.getPrometheusRegistry().register(new LatencyMetrics(node));
    for (Uncounted why : Uncounted.values()) {
      FunctionCounter.builder("galop.latency.uncounted", node.lateness(), all -> all.uncounted(why))
          .description("Records whose latency was not counted, by reason")
          .tag("reason", why.word())
          .register(registry);
    }
  }

  @Override
  public HistogramSnapshot collect() {
    HistogramSnapshot.Builder all =
        HistogramSnapshot.builder()
            .name("galop_latency_seconds")
            .help("Seconds from the moment when a door read a record, by stage");
    lateness.forEach((series, histogram) -> all.dataPoint(point(series, histogram)));
    return all.build();
  }

  @Override
  public String getPrometheusName() {
    return "galop_latency_seconds";
  }

  private HistogramDataPointSnapshot point(Lateness.Series series, LatencyHistogram histogram) {
    List<Number> counts = new ArrayList<>();
    for (long count : histogram.counts()) {
      counts.add(count);
    }
    return HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, counts))
        .sum(histogram.sumUs() / US_PER_SECOND)
        .labels(
            Labels.of(
                "stage", series.stage().word(),
                "door", series.door(),
                "transport", series.transport(),
                "node", node))
        .build();
  }

  /**
   * The last minute of each stage that counted something: {@code {"placed":{"records":n,"p50":ms,
   * "p90":ms,"p99":ms,"p999":ms},…}}.
   */
  static JsonObject lastMinute(Lateness lateness) {
    JsonObject stages = new JsonObject();
    for (LatencyStage stage : LatencyStage.values()) {
      long[] counts = lateness.lastMinute(stage);
      long records = Arrays.stream(counts).sum();
      if (records > 0) {
        JsonObject figures = new JsonObject().put("records", records);
        QUANTILES.forEach(
            (name, part) ->
                figures.put(name, LatencyHistogram.quantileUs(counts, part) / US_PER_MS));
        stages.put(stage.word(), figures);
      }
    }
    return stages;
  }
}
