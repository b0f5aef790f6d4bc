package io.galop.presence;

import io.galop.record.TopicFilter;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How many viewers watch something of each filter. A topic is a filter without wildcards.
 *
 * @param filters at most {@link #MOST_FILTERS}
 * @param most from how many viewers on there is no need to count further; 1 asks for anybody
 */
public record PresenceQuestion(List<TopicFilter> filters, int most) {
  /** The most filters of a question. */
  public static final int MOST_FILTERS = 1_000;

  /** The parameter of a report that has one. */
  private static final String PARAMETER = "question";

  static final int MOST_FILTER_BYTES = 4_096;

  public PresenceQuestion {
    filters = List.copyOf(filters);
    if (filters.isEmpty() || filters.size() > MOST_FILTERS || most < 1) {
      throw new IllegalArgumentException("question must have 1 to " + MOST_FILTERS + " filters");
    }
  }

  /** A question for all viewers of one filter. */
  public static PresenceQuestion ofAll(TopicFilter filter) {
    return new PresenceQuestion(List.of(filter), Integer.MAX_VALUE);
  }

  /** As it crosses a link. */
  public JsonObject json() {
    JsonArray all = new JsonArray();
    filters.forEach(filter -> all.add(filter.toString()));
    return new JsonObject().put("filters", all).put("most", most);
  }

  /** The one of an object as {@link #json} makes it; throws as {@link #of(Map)}. */
  public static PresenceQuestion of(JsonObject json) {
    try {
      List<TopicFilter> filters = new ArrayList<>();
      for (Object text : json.getJsonArray("filters")) {
        filters.add(TopicFilter.parse((String) text, MOST_FILTER_BYTES));
      }
      return new PresenceQuestion(filters, json.getInteger("most"));
    } catch (ClassCastException | NullPointerException wrong) {
      throw new IllegalArgumentException("question must have filters and most", wrong);
    }
  }

  /** As the parameter of a report. */
  public Map<String, String> parameters() {
    return Map.of(PARAMETER, json().encode());
  }

  /**
   * The one of a report's parameters.
   *
   * @throws IllegalArgumentException if there is none, or it breaks a rule
   */
  public static PresenceQuestion of(Map<String, String> parameters) {
    try {
      return of(new JsonObject(parameters.getOrDefault(PARAMETER, "")));
    } catch (DecodeException wrong) {
      throw new IllegalArgumentException("question must be an object", wrong);
    }
  }
}
