package io.galop.loadtest.latency;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a run has shown. Latencies are in milliseconds from when a message was due to be sent; NaN
 * where the server does not say.
 */
public record Figures(
    String target,
    double deliveriesPerSecond,
    double p50Ms,
    double p99Ms,
    double p999Ms,
    double maxMs,
    long missing,
    long duplicates,
    long lostViewers,
    double ackP50Ms,
    double ackP99Ms,
    double serverMicrosPerDelivery,
    double switchesPerDelivery,
    double serverResidentMb,
    long socketsLeft,
    double generatorLagP99Ms,
    double generatorProcessors) {

  /** The median of each figure over several runs of one target. */
  public static Figures median(List<Figures> runs) {
    return new Figures(
        runs.get(0).target + " median",
        median(runs, Figures::deliveriesPerSecond),
        median(runs, Figures::p50Ms),
        median(runs, Figures::p99Ms),
        median(runs, Figures::p999Ms),
        median(runs, Figures::maxMs),
        (long) median(runs, Figures::missing),
        (long) median(runs, Figures::duplicates),
        (long) median(runs, Figures::lostViewers),
        median(runs, Figures::ackP50Ms),
        median(runs, Figures::ackP99Ms),
        median(runs, Figures::serverMicrosPerDelivery),
        median(runs, Figures::switchesPerDelivery),
        median(runs, Figures::serverResidentMb),
        (long) median(runs, Figures::socketsLeft),
        median(runs, Figures::generatorLagP99Ms),
        median(runs, Figures::generatorProcessors));
  }

  private static double median(List<Figures> runs, ToDoubleFunction<Figures> figure) {
    double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Sockets that were not closed properly when all viewers had gone. */
  Figures withSocketsLeft(long count) {
    return new Figures(
        target,
        deliveriesPerSecond,
        p50Ms,
        p99Ms,
        p999Ms,
        maxMs,
        missing,
        duplicates,
        lostViewers,
        ackP50Ms,
        ackP99Ms,
        serverMicrosPerDelivery,
        switchesPerDelivery,
        serverResidentMb,
        count,
        generatorLagP99Ms,
        generatorProcessors);
  }

  /** Whether every viewer has seen every message once and nothing was left behind. */
  public boolean isComplete() {
    return missing == 0 && duplicates == 0 && lostViewers == 0 && socketsLeft == 0;
  }

  public JsonObject toJson() {
    JsonObject json = new JsonObject().put("target", target);
    put(json, "deliveriesPerSecond", deliveriesPerSecond);
    put(json, "p50Ms", p50Ms);
    put(json, "p99Ms", p99Ms);
    put(json, "p99.9Ms", p999Ms);
    put(json, "maxMs", maxMs);
    json.put("missing", missing).put("duplicates", duplicates).put("lostViewers", lostViewers);
    put(json, "ackP50Ms", ackP50Ms);
    put(json, "ackP99Ms", ackP99Ms);
    put(json, "serverMicrosPerDelivery", serverMicrosPerDelivery);
    put(json, "contextSwitchesPerDelivery", switchesPerDelivery);
    put(json, "serverResidentMb", serverResidentMb);
    json.put("socketsLeft", socketsLeft);
    put(json, "generatorLagP99Ms", generatorLagP99Ms);
    put(json, "generatorProcessors", generatorProcessors);
    return json;
  }

  /** JSON has no word for what is not a number: such a figure is left out. */
  private static void put(JsonObject json, String name, double value) {
    if (!Double.isNaN(value)) {
      json.put(name, Math.round(value * 1_000) / 1_000.0);
    }
  }
}
