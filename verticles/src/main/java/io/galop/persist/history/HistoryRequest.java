package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.record.TopicFilter;
import io.galop.record.View;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What {@code GET /history/{filter}} asks for, checked.
 *
 * @param isLines whether the answer is NDJSON rather than a JSON array
 * @param view what of the records is shown
 */
record HistoryRequest(HistoryQuery query, boolean isLines, View view) {
  static final String LINES = "application/x-ndjson";
  static final int DEFAULT_LIMIT = 1_000;

  /** {@code _} is what browsers without another way put there to avoid their cache. */
  private static final Set<String> PARAMETERS = Set.of("from", "to", "limit", "order", "_");

  /**
   * Reads a request.
   *
   * @param path what follows {@code /history/}, percent-encoded
   * @param parameters the decoded parameters
   * @throws IllegalArgumentException naming the parameter, its value and what is allowed
   */
  static HistoryRequest parse(
      String path,
      Map<String, List<String>> parameters,
      String accept,
      int maxLimit,
      int maxFilterBytes) {
    for (Map.Entry<String, List<String>> given : parameters.entrySet()) {
      check(given.getKey(), given.getValue().size());
    }
    TopicFilter filter = TopicFilter.parse(decoded(path), maxFilterBytes);
    long from = time("from", parameters, Long.MIN_VALUE);
    long to = time("to", parameters, Long.MAX_VALUE);
    if (from > to) {
      throw new IllegalArgumentException("'from' is later than 'to'");
    }
    int limit = limit(parameters, maxLimit);
    boolean newestFirst = newestFirst(parameters);
    boolean isLines = accept.toLowerCase(Locale.ROOT).contains(LINES);
    return new HistoryRequest(
        new HistoryQuery(filter.toString(), from, to, limit, newestFirst, ""), isLines, View.WHOLE);
  }

  /** The same for somebody who is shown less; see {@link Thinning}. */
  HistoryRequest shownAs(View shown, long nowUs) {
    return new HistoryRequest(Thinning.of(shown).whole(query, nowUs), isLines, shown);
  }

  private static void check(String name, int times) {
    if (!PARAMETERS.contains(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' is no parameter; there are 'from', 'to', 'limit' and 'order'");
    }
    if (times > 1) {
      throw new IllegalArgumentException("'" + name + "' is given " + times + " times");
    }
  }

  /** Percent-encoding only: a '+' in a path is a plus, and here a wildcard. */
  private static String decoded(String path) {
    return QueryStringDecoder.decodeComponent(path.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static long time(String name, Map<String, List<String>> from, long otherwise) {
    if (!from.containsKey(name)) {
      return otherwise;
    }
    String text = from.get(name).get(0);
    try {
      return text.matches("-?\\d+") ? Long.parseLong(text) : micros(Instant.parse(text));
    } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is '"
              + text
              + "'; expected microseconds since 1970 or a time such as 2026-11-20T12:00:00Z",
          e);
    }
  }

  private static long micros(Instant instant) {
    long seconds = Math.multiplyExact(instant.getEpochSecond(), 1_000_000L);
    return Math.addExact(seconds, TimeUnit.NANOSECONDS.toMicros(instant.getNano()));
  }

  private static int limit(Map<String, List<String>> from, int maxLimit) {
    if (!from.containsKey("limit")) {
      return Math.min(DEFAULT_LIMIT, maxLimit);
    }
    String text = from.get("limit").get(0);
    if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < 1) {
      throw badLimit(text, maxLimit);
    }
    int limit = Integer.parseInt(text);
    if (limit > maxLimit) {
      throw badLimit(text, maxLimit);
    }
    return limit;
  }

  private static IllegalArgumentException badLimit(String text, int maxLimit) {
    return new IllegalArgumentException(
        "'limit' is '" + text + "'; expected a number from 1 to " + maxLimit);
  }

  private static boolean newestFirst(Map<String, List<String>> from) {
    String order = from.getOrDefault("order", List.of("asc")).get(0);
    if (!order.equals("asc") && !order.equals("desc")) {
      throw new IllegalArgumentException("'order' is '" + order + "'; expected 'asc' or 'desc'");
    }
    return order.equals("desc");
  }
}
