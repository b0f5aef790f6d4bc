package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonObject;
import java.util.Locale;

/**
 * What became of one fault.
 *
 * @param fault which
 * @param atSeconds when it began, from the beginning of the run
 * @param servedMs after how long all worked again while it lasted, from its beginning; -1 if not
 * @param healedMs after how long all worked again, from when it was healed; -1 if it never did
 * @param missing what did not work then, in words
 */
record FaultOutcome(
    InjectedFault fault, double atSeconds, long servedMs, long healedMs, String missing) {
  private static final double MS = 1_000;

  static String head() {
    return String.format(
        Locale.ROOT, "%8s  %-36s %16s %10s%n", "at", "fault", "served meanwhile", "healed");
  }

  String row() {
    String words = missing.isEmpty() ? "" : "  " + missing;
    return String.format(
        Locale.ROOT,
        "%6.1f s  %-36s %16s %10s%s%n",
        atSeconds,
        fault,
        seconds(servedMs),
        seconds(healedMs),
        words);
  }

  private static String seconds(long ms) {
    return ms < 0 ? "no" : String.format(Locale.ROOT, "%.1f s", ms / MS);
  }

  boolean isHealedWithin(int seconds) {
    return healedMs >= 0 && healedMs <= seconds * MS;
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("kind", fault.kind().toString())
        .put("target", fault.target())
        .put("how", fault.how())
        .put("seconds", fault.seconds())
        .put("atSeconds", atSeconds)
        .put("servedMs", servedMs)
        .put("healedMs", healedMs)
        .put("missing", missing);
  }
}
