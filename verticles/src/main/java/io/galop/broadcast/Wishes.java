package io.galop.broadcast;

import io.galop.broadcast.feed.Since;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The headers of a {@code register}.
 *
 * @param since where the browser was before
 * @param snapshot whether it wants the last value of each topic first
 * @param latest whether only the newest value of each topic matters while the connection is behind
 * @param maxRate most messages per second and topic; 0 is unlimited
 * @param words whether it wants to hear of the feed, and not records only
 */
record Wishes(
    Optional<Since> since, boolean snapshot, boolean latest, double maxRate, boolean words) {
  private static final Set<String> NAMES = Set.of("since", "snapshot", "mode", "maxrate", "words");

  /**
   * Reads the headers, whose names may be in any case, and whose values may be texts, numbers or
   * booleans. Who sends none of them knows the bridge only, whose handlers expect records.
   *
   * @throws IllegalArgumentException naming the header and what it may be
   */
  static Wishes parse(JsonObject headers, int shards) {
    Map<String, String> own = own(headers);
    return new Wishes(
        text(own, "since").map(since -> since(since, shards)),
        choice(own, "snapshot", "false", "true"),
        choice(own, "mode", "every", "latest"),
        text(own, "maxRate").map(Wishes::rate).orElse(0.0),
        choice(own, "words", "false", "true", own.isEmpty() ? "false" : "true"));
  }

  /** Galop's own headers; others are passed over. */
  private static Map<String, String> own(JsonObject headers) {
    Map<String, String> own = new HashMap<>();
    for (String name : headers.fieldNames()) {
      String small = name.toLowerCase(Locale.ROOT);
      Object value = headers.getValue(name);
      if (NAMES.contains(small) && value != null && own.put(small, String.valueOf(value)) != null) {
        throw new IllegalArgumentException("header " + name + " is there twice");
      }
    }
    return own;
  }

  private static Optional<String> text(Map<String, String> own, String name) {
    return Optional.ofNullable(own.get(name.toLowerCase(Locale.ROOT)));
  }

  private static Since since(String text, int shards) {
    try {
      return Since.parse(text, shards);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("header since: " + e.getMessage(), e);
    }
  }

  private static boolean choice(Map<String, String> own, String name, String no, String yes) {
    return choice(own, name, no, yes, no);
  }

  private static boolean choice(
      Map<String, String> own, String name, String no, String yes, String otherwise) {
    String value = text(own, name).orElse(otherwise).toLowerCase(Locale.ROOT);
    if (!value.equals(no) && !value.equals(yes)) {
      throw new IllegalArgumentException(
          "header " + name + " must be '" + no + "' or '" + yes + "', not '" + value + "'");
    }
    return value.equals(yes);
  }

  private static double rate(String text) {
    try {
      double rate = Double.parseDouble(text);
      if (rate > 0 && rate <= 1_000_000) {
        return rate;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw new IllegalArgumentException(
        "header maxRate must be messages per second, above 0 and up to 1000000, not '"
            + text
            + "'");
  }

  /** Whether the feed has to be asked for something from before the present. */
  boolean needsAnswer() {
    return snapshot || since.isPresent();
  }

  boolean isConflating() {
    return latest || maxRate > 0;
  }
}
