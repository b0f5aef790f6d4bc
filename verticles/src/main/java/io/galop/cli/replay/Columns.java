package io.galop.cli.replay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which fields of a line go where: the event time, and the fields of the data under new names.
 *
 * @param time the field that holds the event time, if the user named one
 * @param fields name in the data → name in the file; empty: all fields under their own names
 */
record Columns(Optional<String> time, Map<String, String> fields) {
  private static final String TIME = "time";

  /**
   * Reads {@code --map} options.
   *
   * @param pairs {@code name=column} each; the name {@code time} is the event time
   * @throws IllegalArgumentException if one is no such pair, or a name comes twice
   */
  static Columns parse(List<String> pairs) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      if (equals < 1 || equals == pair.length() - 1) {
        throw new IllegalArgumentException(
            "'" + pair + "' is no mapping; expected name=column, as in time=timestamp");
      }
      if (fields.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
        throw new IllegalArgumentException(
            "'" + pair.substring(0, equals) + "' is mapped more than once");
      }
    }
    Optional<String> time = Optional.ofNullable(fields.remove(TIME));
    return new Columns(time, fields);
  }
}
