package io.galop.broadcast;

import io.galop.broadcast.feed.Since;
import io.galop.broadcast.hub.Pacing;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
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
 * @param maxRate most messages per second and topic; 0 is unlimited; empty: it says nothing of it
 * @param maxBytesPerSecond most bytes of records per second for all registrations of the connection
 *     that say one; 0 is unlimited; empty: it says nothing of it
 * @param words whether it wants to hear of the feed, and not records only
 * @param deltas whether it understands records that are told by what is different
 * @param where an expression that is true of the records it wants; blank: it wants all
 * @param fields the fields of data that it wants; none of them: it wants all
 */
record Wishes(
    Optional<Since> since,
    boolean snapshot,
    boolean latest,
    Optional<Double> maxRate,
    Optional<Long> maxBytesPerSecond,
    boolean words,
    boolean deltas,
    Optional<String> where,
    Optional<Set<String>> fields) {
  private static final Set<String> OF_UPDATE =
      Set.of("where", "fields", "maxrate", "maxbytespersecond");
  private static final Set<String> NAMES =
      Set.of(
          "since",
          "snapshot",
          "mode",
          "maxrate",
          "maxbytespersecond",
          "words",
          "deltas",
          "where",
          "fields");
  private static final long MOST_BYTES = 1_000_000_000;
  private static final int MOST_FIELDS = 100;
  private static final int MOST_CHARACTERS = 256;

  /**
   * Reads the headers, whose names may be in any case, and whose values may be texts, numbers or
   * booleans. Who sends none of them knows the bridge only, whose handlers expect records.
   *
   * @throws IllegalArgumentException naming the header and what it may be
   */
  static Wishes parse(JsonObject headers, int shards) {
    Map<String, String> own = own(headers);
    return parse(own, shards, false);
  }

  /**
   * @param mayEnd whether an empty text ends a wish
   */
  private static Wishes parse(Map<String, String> own, int shards, boolean mayEnd) {
    return new Wishes(
        text(own, "since").map(since -> since(since, shards)),
        choice(own, "snapshot", "false", "true"),
        choice(own, "mode", "every", "latest"),
        text(own, "maxRate").map(text -> mayEnd && text.isBlank() ? 0.0 : rate(text)),
        text(own, "maxBytesPerSecond").map(text -> mayEnd && text.isBlank() ? 0L : bytes(text)),
        choice(own, "words", "false", "true", own.isEmpty() ? "false" : "true"),
        choice(own, "deltas", "false", "true"),
        text(own, "where"),
        text(own, "fields").map(Wishes::fields));
  }

  /**
   * The headers of an {@code update}: what of the registration is to be another.
   *
   * @throws IllegalArgumentException naming the header and what it may be
   */
  static Wishes parseUpdate(JsonObject headers, int shards) {
    Set<String> names = own(headers).keySet();
    if (names.isEmpty() || !OF_UPDATE.containsAll(names)) {
      throw new IllegalArgumentException(
          "an update takes one or more of the headers where, fields, maxRate and maxBytesPerSecond");
    }
    return parse(own(headers), shards, true);
  }

  /** The names, as a list or with commas between them. */
  private static Set<String> fields(String text) {
    Set<String> names = new HashSet<>();
    if (text.startsWith("[")) {
      listed(text).forEach(name -> names.add(String.valueOf(name)));
    } else if (!text.isBlank()) {
      Arrays.stream(text.split(",", -1)).map(String::strip).forEach(names::add);
    }
    boolean isEachName =
        names.stream().allMatch(name -> !name.isEmpty() && name.length() <= MOST_CHARACTERS);
    if (isEachName && names.size() <= MOST_FIELDS) {
      return names;
    }
    throw new IllegalArgumentException(
        "header fields must be at most %d names of fields of data, with commas between them, each of at most %d characters"
            .formatted(MOST_FIELDS, MOST_CHARACTERS));
  }

  private static JsonArray listed(String text) {
    try {
      return new JsonArray(text);
    } catch (DecodeException e) {
      throw new IllegalArgumentException("header fields begins as a list of JSON and is none", e);
    }
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

  private static long bytes(String text) {
    if (text.matches("[1-9][0-9]{2,9}") && Long.parseLong(text) <= MOST_BYTES) {
      return Long.parseLong(text);
    }
    throw new IllegalArgumentException(
        "header maxBytesPerSecond must be a whole number of bytes from 100 to 1000000000, not '"
            + text
            + "'");
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

  /** How often a new registration is sent its records. */
  Pacing pacing() {
    return new Pacing(latest, maxRate.orElse(0.0), maxBytesPerSecond.orElse(0L));
  }

  /** How often one is sent them that was sent them otherwise before. */
  Pacing pacing(Pacing before) {
    Pacing rated = maxRate.map(before::at).orElse(before);
    return maxBytesPerSecond.map(rated::within).orElse(rated);
  }
}
