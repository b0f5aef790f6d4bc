package io.galop.cli.http;

import io.galop.cli.input.JsonLine;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** A record that a script or a look-up refused, as it stands in the dead-letter topics. */
final class DeadLetter {
  private final JsonObject letter;
  private final String original;

  private DeadLetter(JsonObject letter, String original) {
    this.letter = letter;
    this.original = original;
  }

  /**
   * Reads a line of the history of the dead-letter topics.
   *
   * @throws IllegalArgumentException if it is no dead letter
   */
  static DeadLetter parse(byte[] line) {
    byte[] data = JsonLine.scan(line, Set.of("data")).getOrDefault("data", new byte[0]);
    byte[] original = JsonLine.scan(data, Set.of("data")).get("data");
    if (original == null) {
      throw new IllegalArgumentException("holds no original record");
    }
    JsonObject letter = new JsonObject(new String(data, StandardCharsets.UTF_8));
    return new DeadLetter(letter, new String(original, StandardCharsets.UTF_8));
  }

  /**
   * The original as a line for a door, byte for byte but for its id: attempt n of a record is
   * {@code <id>~<n>}, so that it is not taken for the one that failed. A door takes no {@code #} in
   * ids.
   */
  String toLine() {
    Long timeUs = letter.getLong("timeUs");
    String time = timeUs == null ? "" : ",\"time\":" + timeUs;
    return "{\"topic\":%s,\"id\":%s%s,\"data\":%s}\n"
        .formatted(
            JsonLine.quote(letter.getString("topic", "")),
            JsonLine.quote(nextId(letter.getString("id", ""))),
            time,
            original);
  }

  static String nextId(String id) {
    String plain = id.replace('#', '.');
    int tilde = plain.lastIndexOf('~');
    if (tilde > 0 && plain.substring(tilde + 1).matches("\\d{1,9}")) {
      return plain.substring(0, tilde + 1) + (Long.parseLong(plain.substring(tilde + 1)) + 1);
    }
    return plain + "~1";
  }
}
