package io.galop.ops.drill;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether the Ledger counts the dead letter of a drill, as far as the nodes that enrich have told.
 * Pure and immutable.
 *
 * @param since the first minute in which it may have been counted, by node and its clock
 * @param until by node, the minute by which all minutes are told in which it may have been; nothing
 *     while the drill is not over
 */
record CountedLetter(Map<String, Instant> since, Map<String, Instant> until) {
  /** A node tells a minute at the latest when so many others have begun. */
  static final int LATEST_TOLD = 9;

  CountedLetter {
    since = Map.copyOf(since);
    until = Map.copyOf(until);
  }

  /** What the Ledger says of the letter. */
  enum Found {
    /** It has counted one. */
    YES("counted"),
    /** All is told, and nobody has. */
    NO("missed"),
    /** Not all is told. */
    NOT_YET("awaited"),
    /** It is not going to be known, as a node has come or begun anew, or was not settled. */
    UNKNOWN("unknown");

    private final String word;

    Found(String word) {
      this.word = word;
    }

    /** The word in answers. */
    String word() {
      return word;
    }
  }

  /**
   * Whether all nodes that enrich would refuse the record of a drill: those of older versions do
   * not, and who does not answer may be one.
   *
   * @param told answers of {@code ledger} by node; an empty one: it did not answer
   */
  static boolean isRefusedByAll(Map<String, JsonObject> told) {
    return told.values().stream().allMatch(ledger -> ledger.getBoolean("refusesDrills", false));
  }

  /**
   * The one of a drill that is going to send a record.
   *
   * @param told answers of {@code ledger} by node; an empty one: it did not answer
   */
  static CountedLetter before(Map<String, JsonObject> told) {
    return new CountedLetter(next(told, 0), Map.of());
  }

  /** The same, now that the drill's record was refused. */
  CountedLetter after(Map<String, JsonObject> told, long minuteMs) {
    return new CountedLetter(since, next(told, LATEST_TOLD * minuteMs));
  }

  /** So long after what each node tells next; nothing unless all have answered. */
  private static Map<String, Instant> next(Map<String, JsonObject> told, long moreMs) {
    Map<String, Instant> next = new TreeMap<>();
    if (told.values().stream().noneMatch(JsonObject::isEmpty)) {
      told.forEach((node, ledger) -> next.put(node, next(ledger).plusMillis(moreMs)));
    }
    return next;
  }

  /** What nodes say by now; one that does not answer may do so later. */
  Found look(Map<String, JsonObject> told) {
    if (told.entrySet().stream().anyMatch(one -> hasLetter(one.getKey(), one.getValue()))) {
      return Found.YES;
    }
    boolean areSame = !since.isEmpty() && since.keySet().equals(until.keySet());
    if (!areSame || !since.keySet().containsAll(told.keySet())) {
      return Found.UNKNOWN;
    }
    Set<Found> all = EnumSet.of(told.size() < since.size() ? Found.NOT_YET : Found.NO);
    told.forEach((node, ledger) -> all.add(without(node, ledger)));
    if (all.contains(Found.NOT_YET)) {
      return Found.NOT_YET;
    }
    return all.contains(Found.UNKNOWN) ? Found.UNKNOWN : Found.NO;
  }

  private boolean hasLetter(String node, JsonObject ledger) {
    for (Object each : ledger.getJsonArray("minutes", new JsonArray())) {
      JsonObject minute = (JsonObject) each;
      JsonObject enrich =
          minute
              .getJsonObject("stages", new JsonObject())
              .getJsonObject("enrich", new JsonObject());
      if (isAsked(node, minute) && enrich.getLong("deadLetters", 0L) > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean isAsked(String node, JsonObject minute) {
    Instant first = since.get(node);
    return first != null && !Instant.parse(minute.getString("minute")).isBefore(first);
  }

  /** Of a node that has no letter. */
  private Found without(String node, JsonObject ledger) {
    if (ledger.isEmpty()) {
      return Found.NOT_YET;
    }
    if (Instant.parse(ledger.getString("first")).isAfter(since.get(node))) {
      return Found.UNKNOWN; // it has begun anew
    }
    if (next(ledger).isBefore(until.get(node))) {
      return Found.NOT_YET;
    }
    boolean isWhole = false; // the oldest may be left out
    for (Object each : ledger.getJsonArray("minutes")) {
      JsonObject minute = (JsonObject) each;
      if (isAsked(node, minute) && !minute.getBoolean("settled")) {
        return Found.UNKNOWN;
      }
      isWhole |= Instant.parse(minute.getString("minute")).equals(since.get(node));
    }
    return isWhole ? Found.NO : Found.UNKNOWN;
  }

  private static Instant next(JsonObject ledger) {
    return Instant.parse(ledger.getString("next"));
  }
}
