package io.galop.loadtest.stalled;

import io.galop.loadtest.client.AudienceReport;
import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.latency.Latencies;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What some transport's viewers that never read did to those who do.
 *
 * @param transport of all
 * @param stalled how many never read
 * @param rounds in order
 * @param readers what those who read have seen over all rounds
 */
record StalledOutcome(
    ViewerTransport transport, int stalled, List<Round> rounds, AudienceReport readers) {

  double median(ToDoubleFunction<Round> figure) {
    double[] all = rounds.stream().mapToDouble(figure).sorted().toArray();
    int middle = all.length / 2;
    return all.length % 2 == 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2;
  }

  boolean isUnchanged() {
    return Latencies.isUnchanged(median(Round::p99WithoutMs), median(Round::p99WithMs));
  }

  /** Whether they took no more than that. */
  boolean isFlat(int maxGrowthMb) {
    return median(Round::growthMb) <= maxGrowthMb;
  }

  boolean isComplete() {
    return readers.seen().missing() == 0 && readers.seen().lostViewers() == 0;
  }

  /**
   * Whether bytes waited for most of them, so that the rest means something. Who polls and never
   * comes again has no connection on which they could.
   */
  boolean haveStalled() {
    return transport.isPolling() || 2 * median(Round::fullSockets) >= stalled;
  }

  boolean isRight(int maxGrowthMb) {
    return isUnchanged() && isFlat(maxGrowthMb) && isComplete() && haveStalled();
  }

  static String head() {
    return "transport       p99 without      with   RSS without      with  full sockets  missing"
        + "  lost\n";
  }

  /** The medians as a row of a table, and what is to be said of them. */
  String row(int maxGrowthMb) {
    return String.format(
        Locale.ROOT,
        "%-14s %9.1f ms %6.1f ms %10.0f MB %6.0f MB %13.0f %8d %5d  %s%n",
        transport,
        median(Round::p99WithoutMs),
        median(Round::p99WithMs),
        median(Round::residentWithoutMb),
        median(Round::residentWithMb),
        median(Round::fullSockets),
        readers.seen().missing(),
        readers.seen().lostViewers(),
        verdict(maxGrowthMb));
  }

  private String verdict(int maxGrowthMb) {
    if (!haveStalled()) {
      return "THEY DID NOT STALL: raise --rate or --settle-seconds";
    }
    return (isUnchanged() ? "unchanged" : "CHANGED") + (isFlat(maxGrowthMb) ? ", flat" : ", GROWN");
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("transport", transport.toString())
        .put("stalled", stalled)
        .put("rounds", new JsonArray(rounds.stream().map(Round::toJson).toList()))
        .put("missing", readers.seen().missing())
        .put("reconnects", readers.reconnects())
        .put("errors", new JsonObject(new TreeMap<>(readers.errors())))
        .put("lostViewers", readers.seen().lostViewers());
  }
}
