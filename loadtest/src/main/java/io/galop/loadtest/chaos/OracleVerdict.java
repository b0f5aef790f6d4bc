package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the oracle found: of each violation how often, where, and the first of them in words. */
public final class OracleVerdict {
  /** What must not be. */
  public enum Violation {
    /** Acknowledged, and not in a store. */
    LOST,
    /** Twice in a store. */
    DOUBLED,
    /** Shown twice, and nobody said that the screen begins anew. */
    SHOWN_TWICE,
    /** Never shown, and nobody said that something is missing. */
    SILENT
  }

  private static final int MOST_EXAMPLES = 5;

  private final Map<Violation, Long> counts = new TreeMap<>();
  private final Map<String, Long> places = new TreeMap<>();
  private final List<String> examples = new ArrayList<>();
  private final List<Needless> needless = new ArrayList<>();
  private long told;

  /**
   * A viewer was told that something is missing, and nothing was.
   *
   * @param atNs when
   * @param since the Positions with which it had come back
   */
  public record Needless(String viewer, long atNs, String since) {}

  OracleVerdict() {
    for (Violation violation : Violation.values()) {
      counts.put(violation, 0L);
    }
  }

  void add(Violation violation, String where, String words) {
    counts.merge(violation, 1L, Long::sum);
    long here = places.merge(name(violation) + " " + where, 1L, Long::sum);
    if (here <= MOST_EXAMPLES) {
      examples.add(name(violation) + " " + where + ": " + words);
    }
  }

  /** A viewer was not shown a record, and was told that something is missing. */
  void addTold() {
    told++;
  }

  void addNeedless(Needless one) {
    needless.add(one);
  }

  /** Records that viewers were not shown and know of, over all viewers. */
  public long told() {
    return told;
  }

  /** How often viewers were told that something is missing, and nothing was. */
  public List<Needless> needless() {
    return List.copyOf(needless);
  }

  private static String name(Violation violation) {
    return violation.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  public long count(Violation violation) {
    return counts.getOrDefault(violation, 0L);
  }

  public boolean isClean() {
    return counts.values().stream().allMatch(count -> count == 0);
  }

  /** Whether something is missing that may still be under way. */
  public boolean mayGetBetter() {
    return count(Violation.LOST) + count(Violation.SILENT) > 0;
  }

  public List<String> examples() {
    return List.copyOf(examples);
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    counts.forEach((violation, count) -> json.put(name(violation).replace(' ', '_'), count));
    JsonObject where = new JsonObject();
    places.forEach(where::put);
    return json.put("where", where).put("examples", new JsonArray(examples));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (violation, count) -> text.append(name(violation)).append(' ').append(count).append(", "));
    return text.substring(0, text.length() - 2);
  }
}
