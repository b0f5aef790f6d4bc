package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.persist.store.ColdKey;
import io.galop.record.TopicFilter;
import io.galop.record.View;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What {@code GET /history/{filter}} asks for, checked.
 *
 * @param form how the answer is written
 * @param view what of the records is shown
 * @param shape what is made of the records
 * @param after the record that the answer goes on behind; of a row its time and topic
 */
record HistoryRequest(
    HistoryQuery query, Form form, View view, AnswerShape shape, Optional<ColdKey> after) {
  static final int DEFAULT_LIMIT = 1_000;

  /** {@code _} is what browsers without another way put there to avoid their cache. */
  private static final Set<String> PARAMETERS =
      Set.of(
          "from", "to", "limit", "order", "after", "format", "every", "points", "fields", "agg",
          "_");

  /**
   * What bounds a question.
   *
   * @param maxLimit most records or rows of an answer
   * @param maxFilterBytes of the filter
   */
  record Bounds(int maxLimit, int maxFilterBytes) {}

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
      String acceptEncoding,
      Bounds bounds) {
    for (Map.Entry<String, List<String>> given : parameters.entrySet()) {
      check(given.getKey(), given.getValue().size());
    }
    TopicFilter filter = TopicFilter.parse(decoded(path), bounds.maxFilterBytes());
    long from = time("from", parameters, Long.MIN_VALUE);
    long to = time("to", parameters, Long.MAX_VALUE);
    if (from > to) {
      throw new IllegalArgumentException("'from' is later than 'to'");
    }
    AnswerShape shape = AnswerShape.parse(parameters, bounds.maxLimit());
    Form form = Form.of(first(parameters, "format"), accept, acceptEncoding);
    check(shape, form, parameters);
    int limit =
        shape.isComputed() && !parameters.containsKey("limit")
            ? bounds.maxLimit()
            : limit(parameters, bounds.maxLimit());
    HistoryQuery query =
        new HistoryQuery(filter.toString(), from, to, limit, newestFirst(parameters), "");
    Optional<ColdKey> after = first(parameters, "after").map(text -> after(text, filter, shape));
    return new HistoryRequest(query, form, View.WHOLE, shape, after);
  }

  /** The same for somebody who is shown less; see {@link Thinning}. */
  HistoryRequest shownAs(View shown, long nowUs) {
    return new HistoryRequest(Thinning.of(shown).whole(query, nowUs), form, shown, shape, after);
  }

  /** What nodes are asked for. */
  HistoryQuery asked(int maxFolded) {
    Thinning thinning = Thinning.of(view);
    HistoryQuery rest = after.map(key -> thinning.behind(query, key.timeUs())).orElse(query);
    if (after.isPresent() && shape.everyUs() > 0 && query.newestFirst()) {
      rest = thinning.behind(query, after.get().timeUs() + shape.everyUs() - 1);
    }
    HistoryQuery asked = thinning.asked(rest);
    return shape.isComputed() ? limited(asked, maxFolded) : asked;
  }

  private static HistoryQuery limited(HistoryQuery query, int limit) {
    return new HistoryQuery(
        query.filter(), query.fromUs(), query.toUs(), limit, query.newestFirst(), query.next());
  }

  boolean isLines() {
    return form.format() == Form.Format.NDJSON;
  }

  private static Optional<String> first(Map<String, List<String>> parameters, String name) {
    return Optional.ofNullable(parameters.get(name)).map(given -> given.get(0));
  }

  private static void check(AnswerShape shape, Form form, Map<String, List<String>> parameters) {
    if (!shape.fields().isEmpty() && !shape.isComputed() && form.format() != Form.Format.CSV) {
      throw new IllegalArgumentException("'fields' needs 'every', 'points' or the format csv");
    }
    if (shape.points() > 0) {
      for (String name : List.of("limit", "order", "after")) {
        if (parameters.containsKey(name)) {
          throw new IllegalArgumentException("'points' and '" + name + "' exclude each other");
        }
      }
    }
  }

  /** {@code TIME:ID}, a tab and the topic, which a filter without wildcards says; of rows no id. */
  private static ColdKey after(String text, TopicFilter filter, AnswerShape shape) {
    boolean isRow = shape.everyUs() > 0;
    int colon = text.indexOf(':');
    int tab = isRow ? colon : text.indexOf('\t');
    boolean isTopicKnown = tab >= 0 || filter.isExact();
    if (!text.matches("-?\\d{1,18}(:(?s:.*))?") || colon < 0 && !isRow || !isTopicKnown) {
      throw new IllegalArgumentException(
          "'after' is '%s'; expected of the last %s that you have, not percent-encoded, %s"
              .formatted(
                  text,
                  isRow ? "row" : "record",
                  isRow ? "TIME:TOPIC" : "TIME:ID, a tab and the topic"));
    }
    String id = isRow ? "" : text.substring(colon + 1, tab < 0 ? text.length() : tab);
    String topic = tab < 0 ? filter.toString() : text.substring(tab + 1);
    long timeUs = Long.parseLong(text.substring(0, colon < 0 ? text.length() : colon));
    return new ColdKey(timeUs, id, topic);
  }

  private static void check(String name, int times) {
    if (!PARAMETERS.contains(name)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is no parameter; there are 'from', 'to', 'limit', 'order', 'after', 'format',"
              + " 'every', 'points', 'fields' and 'agg'");
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
