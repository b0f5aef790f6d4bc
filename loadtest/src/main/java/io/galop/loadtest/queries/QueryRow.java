package io.galop.loadtest.queries;

import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A line of the table. Times in milliseconds.
 *
 * @param load who asked and how
 * @param perSecond answers
 * @param serverMs processor time of the server, its store included, for an answer
 * @param clientProcessors how many processors the clients used: where it is near one they were the
 *     limit
 * @param verified answers of which every byte was summed up
 */
record QueryRow(
    String from,
    String load,
    long answers,
    double perSecond,
    double minMs,
    double meanMs,
    double p99Ms,
    double p999Ms,
    double maxMs,
    double serverMs,
    double clientProcessors,
    long verified,
    long wrong) {
  private static final double NANOS_PER_MS = 1e6;
  private static final double MICROS_PER_MS = 1e3;
  private static final double P99 = 99;
  private static final double P999 = 99.9;

  static QueryRow of(
      String from,
      String load,
      QueryTally tally,
      long tookNanos,
      long serverCpuMicros,
      long clientCpuMicros) {
    Histogram all = tally.latencies();
    long answers = all.getTotalCount();
    return new QueryRow(
        from,
        load,
        answers,
        answers / (tookNanos / (double) TimeUnit.SECONDS.toNanos(1)),
        all.getMinValue() / NANOS_PER_MS,
        all.getMean() / NANOS_PER_MS,
        all.getValueAtPercentile(P99) / NANOS_PER_MS,
        all.getValueAtPercentile(P999) / NANOS_PER_MS,
        all.getMaxValue() / NANOS_PER_MS,
        serverCpuMicros / MICROS_PER_MS / Math.max(1, answers),
        TimeUnit.MICROSECONDS.toNanos(clientCpuMicros) / (double) tookNanos,
        tally.verified(),
        tally.wrong());
  }

  /** The one in the middle by answers a second. */
  static QueryRow median(List<QueryRow> rows) {
    List<QueryRow> sorted =
        rows.stream().sorted(Comparator.comparingDouble(QueryRow::perSecond)).toList();
    return sorted.get(sorted.size() / 2);
  }

  static final List<String> HEAD =
      List.of(
          "answers from",
          "clients",
          "answers",
          "a second",
          "min ms",
          "mean ms",
          "p99 ms",
          "p99.9 ms",
          "max ms",
          "server CPU ms",
          "client CPUs",
          "verified",
          "wrong");

  /** As {@link #HEAD} has them. */
  List<String> cells() {
    String line = line().strip();
    return List.of(line.substring(2, line.length() - 2).split(" \\| "));
  }

  /** What to say if an answer was wrong. */
  Optional<String> problem() {
    return wrong == 0
        ? Optional.empty()
        : Optional.of("%s, %s: %d answers were wrong or missing.".formatted(from, load, wrong));
  }

  /** A closed loop's rate beside nginx's, where there are both. */
  Optional<String> beside(List<QueryRow> rows) {
    if (from.equals(AnswerSource.NGINX.label()) || !load.contains("loop")) {
      return Optional.empty();
    }
    return rows.stream()
        .filter(other -> other.from.equals(AnswerSource.NGINX.label()) && other.load.equals(load))
        .findFirst()
        .map(
            nginx ->
                String.format(
                    Locale.ROOT, "%s / nginx, %s: %.3f", from, load, perSecond / nginx.perSecond));
  }

  void put(Map<String, Double> figures) {
    String key = (from + "." + load).replaceAll("[^A-Za-z0-9.]+", "-") + ".";
    figures.put(key + "answersPerSecond", perSecond);
    figures.put(key + "minMs", minMs);
    figures.put(key + "meanMs", meanMs);
    figures.put(key + "p99Ms", p99Ms);
    figures.put(key + "p999Ms", p999Ms);
    figures.put(key + "maxMs", maxMs);
    figures.put(key + "serverCpuMs", serverMs);
    figures.put(key + "wrong", (double) wrong);
  }

  static String head() {
    return """
    | answers from | clients | answers | a second | min | mean | p99 | p999 | max | server \
    CPU ms | client CPUs | verified | wrong |
    |---|---|---|---|---|---|---|---|---|---|---|---|---|
    """;
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %,.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %,d | %d |%n",
        from,
        load,
        answers,
        perSecond,
        minMs,
        meanMs,
        p99Ms,
        p999Ms,
        maxMs,
        serverMs,
        clientProcessors,
        verified,
        wrong);
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("from", from)
        .put("load", load)
        .put("answers", answers)
        .put("answersPerSecond", perSecond)
        .put("minMs", minMs)
        .put("meanMs", meanMs)
        .put("p99Ms", p99Ms)
        .put("p999Ms", p999Ms)
        .put("maxMs", maxMs)
        .put("serverCpuMs", serverMs)
        .put("clientProcessors", clientProcessors)
        .put("verified", verified)
        .put("wrong", wrong);
  }
}
