package io.galop.broadcast;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Optional;

/**
 * The headers of a {@code register}.
 *
 * @param since where the browser was before
 * @param snapshot whether it wants the last value of each topic first
 * @param latest whether only the newest value of each topic matters while the connection is behind
 * @param maxRate most messages per second and topic; 0 is unlimited
 */
record Wishes(Optional<Since> since, boolean snapshot, boolean latest, double maxRate) {

  /**
   * Reads the headers, whose values may be texts, numbers or booleans.
   *
   * @throws IllegalArgumentException naming the header and what it may be
   */
  static Wishes parse(JsonObject headers, int shards) {
    return new Wishes(
        text(headers, "since").map(since -> since(since, shards)),
        choice(headers, "snapshot", "false", "true"),
        choice(headers, "mode", "every", "latest"),
        text(headers, "maxRate").map(Wishes::rate).orElse(0.0));
  }

  private static Optional<String> text(JsonObject headers, String name) {
    return Optional.ofNullable(headers.getValue(name)).map(String::valueOf);
  }

  private static Since since(String text, int shards) {
    try {
      return Since.parse(text, shards);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("header since: " + e.getMessage(), e);
    }
  }

  private static boolean choice(JsonObject headers, String name, String no, String yes) {
    String value = text(headers, name).orElse(no).toLowerCase(Locale.ROOT);
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
