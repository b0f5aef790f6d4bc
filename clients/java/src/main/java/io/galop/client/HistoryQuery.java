package io.galop.client;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is asked of the history of a filter: {@code HistoryQuery.create().from(instant).limit(100)}.
 * Each method gives a changed copy.
 */
public final class HistoryQuery {
  private static final HistoryQuery USUAL = new HistoryQuery(Map.of());

  private final Map<String, String> parameters;

  private HistoryQuery(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /** All records, the oldest first, and as many as the node gives by itself (1,000). */
  public static HistoryQuery create() {
    return USUAL;
  }

  private HistoryQuery with(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(parameters);
    changed.put(name, value);
    return new HistoryQuery(changed);
  }

  /** From this event time on, itself included. */
  public HistoryQuery from(Instant time) {
    return with("from", time.toString());
  }

  /** Up to this event time, itself included. */
  public HistoryQuery to(Instant time) {
    return with("to", time.toString());
  }

  /** At most so many records. */
  public HistoryQuery limit(int records) {
    return with("limit", Integer.toString(records));
  }

  /** The newest first. */
  public HistoryQuery newestFirst() {
    return with("order", "desc");
  }

  /** What lies behind this record, the last of the answer before. */
  public HistoryQuery after(FeedRecord last) {
    return with("after", last.time() + ":" + last.id() + "\t" + last.topic());
  }

  /**
   * Rows instead of records, for {@link GalopClient#rows}: one for each topic and stretch of time.
   *
   * @param bucket how long these are, from a second to a day
   */
  public HistoryQuery every(Duration bucket) {
    return with("every", bucket.toMillis() + "ms");
  }

  /**
   * So many values of each topic that look like all of them on a plot, for {@link
   * GalopClient#rows}; nothing follows on the answer.
   */
  public HistoryQuery points(int most) {
    return with("points", Integer.toString(most));
  }

  /** Of which numbers of the data rows are made: up to 8 paths, such as {@code motor.rpm}. */
  public HistoryQuery fields(String... paths) {
    return with("fields", String.join(",", List.of(paths)));
  }

  /** What rows have of each field, of {@code min max avg last count}; without it all. */
  public HistoryQuery agg(String... names) {
    return with("agg", String.join(",", List.of(names)));
  }

  /**
   * The rows that follow on an answer.
   *
   * @throws IllegalArgumentException if none do: its {@code next} is empty
   */
  public HistoryQuery after(HistoryRows answer) {
    if (answer.next().isEmpty()) {
      throw new IllegalArgumentException("nothing follows on this answer: next is empty");
    }
    return with("after", URLDecoder.decode(answer.next(), StandardCharsets.UTF_8));
  }

  /** Whether it is about rows, or points. */
  boolean isOfRows() {
    return parameters.containsKey("every") || isOfPoints();
  }

  /** Then one answer has all: none follows on it. */
  boolean isOfPoints() {
    return parameters.containsKey("points");
  }

  /** What stands behind the filter in the address. */
  String query() {
    return parameters.isEmpty()
        ? ""
        : parameters.entrySet().stream()
            .map(each -> each.getKey() + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&", "?", ""));
  }

  /** A filter as the part of a path. */
  static String path(String filter) {
    return encoded(filter).replace("+", "%20").replace("%2F", "/");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
