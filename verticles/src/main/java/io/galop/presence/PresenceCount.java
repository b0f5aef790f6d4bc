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
  public static PresenceCount of(
      int filters, Map<String, JsonObject> given, Map<String, String> unanswered) {
    List<Part> parts = new ArrayList<>();
    List<Missing> missing = new ArrayList<>();
    Map<String, Part> relays = new HashMap<>();
    Map<String, String> reached = new HashMap<>();
    Map<String, String> cut = new TreeMap<>();
    new TreeMap<>(unanswered).forEach((name, why) -> missing.add(new Missing(NODE, name, why)));
    List<Said> behind = new ArrayList<>();
    new TreeMap<>(given)
        .forEach(
            (name, answer) -> {
              add(parts, missing, new Part(NODE, name, numbers(answer)), filters);
              for (Said relay : relays(answer, name, "")) {
                relay.note(relays, reached, cut);
                behind.addAll(relays(relay.of, name, " behind " + relay.of.getString(NODE)));
              }
            });
    behind.forEach(relay -> relay.note(relays, reached, cut));
    relays.values().stream()
        .sorted((one, other) -> one.name.compareTo(other.name))
        .forEach(relay -> add(parts, missing, relay, filters));
    cut.keySet().removeAll(reached.keySet());
    cut.forEach((address, why) -> missing.add(new Missing(RELAY, address, why)));
    return new PresenceCount(parts, missing);
  }

  /**
   * What was said of a relay.
   *
   * @param of as {@link PresenceReport} has it
   * @param by the node that answered
   * @param place behind which relay, if behind one: then it is that relay's word, and says nothing
   *     of relays that are named without a place
   */
  private record Said(JsonObject of, String by, String place) {
    void note(Map<String, Part> relays, Map<String, String> reached, Map<String, String> cut) {
      String address = of.getString(RELAY) + place;
      if (of.containsKey("why")) {
        cut.putIfAbsent(address, of.getString("why") + ", says " + by);
      } else {
        Part part = new Part(RELAY, of.getString(NODE), numbers(of));
        relays.putIfAbsent(of.getString("id"), part);
        reached.put(address, part.name);
      }
    }
  }

  private static List<Said> relays(JsonObject answer, String by, String place) {
    List<Said> all = new ArrayList<>();
    for (Object one : answer.getJsonArray("relays", new JsonArray())) {
      all.add(new Said((JsonObject) one, by, place));
    }
    return all;
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
