package io.galop.loadtest.freeze;

import io.galop.loadtest.client.AudienceReport;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What one freeze did.
 *
 * @param freezeSeconds how long
 * @param p99BeforeMs of the viewers of the other nodes
 * @param p99DuringMs of the same while the node was frozen
 * @param stolenPercent how much of the processors' time the machine's host gave to others meanwhile
 * @param heapGrowthMb of the first node, collected before and at the end
 * @param residentGrowthMb of the same
 * @param others what the viewers of the other nodes have seen
 * @param frozen what those of the frozen one have seen
 * @param catchUpSeconds how long it took after the node woke until all had everything or were told
 */
record FreezeOutcome(
    int freezeSeconds,
    double p99BeforeMs,
    double p99DuringMs,
    double stolenPercent,
    double heapGrowthMb,
    double residentGrowthMb,
    AudienceReport others,
    AudienceReport frozen,
    double catchUpSeconds) {
  static double median(List<FreezeOutcome> outcomes, ToDoubleFunction<FreezeOutcome> figure) {
    return outcomes.stream()
        .map(figure::applyAsDouble)
        .sorted(Comparator.naturalOrder())
        .skip(outcomes.size() / 2)
        .findFirst()
        .orElseThrow();
  }

  /** Whether each viewer has everything, or knows that it has not. */
  boolean isHonest() {
    return others.seen().missing() == 0 && others.seen().lostViewers() == 0 && frozen.untold() == 0;
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("freezeSeconds", freezeSeconds)
        .put("p99BeforeMs", p99BeforeMs)
        .put("p99DuringMs", p99DuringMs)
        .put("stolenPercent", stolenPercent)
        .put("heapGrowthMb", heapGrowthMb)
        .put("residentGrowthMb", residentGrowthMb)
        .put("catchUpSeconds", catchUpSeconds)
        .put("others", toJson(others))
        .put("frozen", toJson(frozen));
  }

  private static JsonObject toJson(AudienceReport report) {
    return new JsonObject()
        .put("received", report.seen().received())
        .put("missing", report.seen().missing())
        .put("duplicates", report.seen().duplicates())
        .put("lostViewers", report.seen().lostViewers())
        .put("told", report.told())
        .put("untold", report.untold())
        .put("errors", new JsonObject(new TreeMap<>(report.errors())));
  }

  static String head() {
    return "frozen   p99 before  during  stolen  heap +MB  RSS +MB  others missing  frozen: missing"
        + "  told  lost  untold  caught up after\n";
  }

  String row() {
    return String.format(
        Locale.ROOT,
        "%4d s  %8.1f ms %7.1f %6.1f%% %9.1f %8.1f %15d %16d %5d %5d %7d %12.1f s%n",
        freezeSeconds,
        p99BeforeMs,
        p99DuringMs,
        stolenPercent,
        heapGrowthMb,
        residentGrowthMb,
        others.seen().missing(),
        frozen.seen().missing(),
        frozen.told(),
        frozen.seen().lostViewers(),
        frozen.untold(),
        catchUpSeconds);
  }
}
