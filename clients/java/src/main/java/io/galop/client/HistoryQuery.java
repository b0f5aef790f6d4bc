package io.galop.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
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
