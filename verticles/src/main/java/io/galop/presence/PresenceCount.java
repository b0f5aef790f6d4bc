package io.galop.presence;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What all nodes and relays say of a {@link PresenceQuestion}. Each relay counts once, however many
 * nodes have a link to it. Immutable.
 *
 * @param parts who has said how many viewers it has, a number for each filter
 * @param missing who has not, and why
 */
public record PresenceCount(List<Part> parts, List<Missing> missing) {
  static final String NODE = "node";
  static final String RELAY = "relay";

  /** Beyond these nobody looks for relays behind relays; a relay may say what it likes. */
  private static final int MOST_RELAYS = 10_000;

  /**
   * What one process says.
   *
   * @param kind {@code node} or {@code relay}
   * @param viewers of each filter of the question
   */
  public record Part(String kind, String name, List<Long> viewers) {}

  /** One that says nothing: its viewers are not counted. */
  public record Missing(String kind, String name, String why) {}

  public PresenceCount {
    parts = List.copyOf(parts);
    missing = List.copyOf(missing);
  }

  /**
   * Puts answers together.
   *
   * @param filters of the question
   * @param given what nodes answered by their names, see {@link PresenceReport}
   * @param unanswered why a node did not answer, by its name
   */
  static PresenceCount of(
      int filters, Map<String, JsonObject> given, Map<String, String> unanswered) {
    List<Part> parts = new ArrayList<>();
    List<Missing> missing = new ArrayList<>();
    Map<String, Part> relays = new HashMap<>();
    Map<String, String> reached = new HashMap<>();
    Map<String, String> cut = new TreeMap<>();
    new TreeMap<>(unanswered).forEach((name, why) -> missing.add(new Missing(NODE, name, why)));
    new TreeMap<>(given)
        .forEach(
            (name, answer) -> {
              add(parts, missing, new Part(NODE, name, numbers(answer)), filters);
              for (JsonObject relay : relays(answer)) {
                String address = relay.getString(RELAY);
                if (relay.containsKey("why")) {
                  cut.putIfAbsent(address, relay.getString("why") + ", says " + name);
                } else {
                  Part part = new Part(RELAY, relay.getString(NODE), numbers(relay));
                  relays.putIfAbsent(relay.getString("id"), part);
                  reached.put(address, part.name);
                }
              }
            });
    relays.values().stream()
        .sorted((one, other) -> one.name.compareTo(other.name))
        .forEach(relay -> add(parts, missing, relay, filters));
    cut.keySet().removeAll(reached.keySet());
    cut.forEach((address, why) -> missing.add(new Missing(RELAY, address, why)));
    return new PresenceCount(parts, missing);
  }

  /** Those that a node dials, and then those behind them, which must not stand for the former. */
  private static List<JsonObject> relays(JsonObject answer) {
    List<JsonObject> all = new ArrayList<>();
    addRelays(answer, all);
    for (int next = 0; next < all.size() && all.size() < MOST_RELAYS; next++) {
      addRelays(all.get(next), all);
    }
    return all;
  }

  private static void addRelays(JsonObject of, List<JsonObject> all) {
    if (of.getValue("relays") instanceof JsonArray relays) {
      for (Object one : relays) {
        if (one instanceof JsonObject relay && isNamed(relay)) {
          all.add(relay);
        }
      }
    }
  }

  private static boolean isNamed(JsonObject relay) {
    boolean isThere =
        relay.getValue("id") instanceof String && relay.getValue(NODE) instanceof String;
    return relay.getValue(RELAY) instanceof String
        && (isThere || relay.getValue("why") instanceof String);
  }

  /** What is not as long as the question is none. */
  private static void add(List<Part> parts, List<Missing> missing, Part part, int filters) {
    if (part.viewers.size() == filters) {
      parts.add(part);
    } else {
      missing.add(new Missing(part.kind, part.name, "its answer is not to the question"));
    }
  }

  /**
   * Empty where these are no counts: a relay stands where others may have it say what they like.
   */
  private static List<Long> numbers(JsonObject answer) {
    if (!(answer.getValue("viewers") instanceof JsonArray viewers)) {
      return List.of();
    }
    boolean areCounts =
        viewers.stream().allMatch(one -> one instanceof Number count && count.longValue() >= 0);
    return areCounts
        ? viewers.stream().map(count -> ((Number) count).longValue()).toList()
        : List.of();
  }

  /** The same, with somebody missing. */
  PresenceCount without(Missing one) {
    return new PresenceCount(parts, Stream.concat(missing.stream(), Stream.of(one)).toList());
  }

  /** How many viewers a filter of the question has, those of missing parts not among them. */
  public long viewers(int filter) {
    return parts.stream().mapToLong(part -> part.viewers.get(filter)).sum();
  }

  /** Whether there may be viewers that are not counted. */
  public boolean isPartial() {
    return !missing.isEmpty();
  }

  /** {@code {"viewers":…,"partial":…,"parts":[…],"missing":[…]}} of the first filter. */
  JsonObject detailed() {
    JsonArray told = new JsonArray();
    for (Part part : parts) {
      told.add(new JsonObject().put(part.kind, part.name).put("viewers", part.viewers.get(0)));
    }
    JsonArray silent = new JsonArray();
    missing.forEach(
        one -> silent.add(new JsonObject().put(one.kind, one.name).put("why", one.why)));
    return plain().put("parts", told).put("missing", silent);
  }

  /** {@code {"viewers":…,"partial":…}} of the first filter. */
  JsonObject plain() {
    return new JsonObject().put("viewers", viewers(0)).put("partial", isPartial());
  }
}
