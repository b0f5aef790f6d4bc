package io.galop.cli.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.galop.cli.input.LineReader;
import io.galop.json.JsonLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lines that are whole records, as {@code galop history}, {@code subscribe} and {@code log export}
 * print them: {@code {"topic":…,"data":{…},"id":…,"time":…}}, in any order, with a Position that is
 * passed over. Ids of derived records ({@code abc#1}) become {@code abc.1}, since doors refuse the
 * sign.
 */
final class EnvelopeSource extends LinesSource {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Set<String> NAMES = Set.of("topic", "data", "id", "time", "pos");
  private static final int MOST_DIGITS = 16;

  EnvelopeSource(LineReader lines) {
    super(lines);
  }

  /** Whether a line is a record with its topic, and no data that has such fields among others. */
  static boolean is(byte[] line) {
    try {
      Map<String, byte[]> found = JsonLine.scan(line);
      return NAMES.containsAll(found.keySet())
          && begins(found.get("topic"), '"')
          && begins(found.get("data"), '{');
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean begins(byte @Nullable [] value, char with) {
    return value != null && value.length > 0 && value[0] == with;
  }

  @Override
  Entry read(byte[] line, long number) throws IOException {
    Map<String, byte[]> found = JsonLine.scan(line);
    for (String name : found.keySet()) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "has a field '" + name + "'; a record has topic, data, id and time");
      }
    }
    String topic = text("topic", found.get("topic"));
    byte[] data = found.get("data");
    if (data == null || !begins(data, '{')) {
      throw new IllegalArgumentException("has no object as its 'data'");
    }
    String id = found.containsKey("id") ? text("id", found.get("id")).replace('#', '.') : "";
    long timeUs = found.containsKey("time") ? timeUs(found.get("time")) : NO_TIME;
    return new Entry(number, timeUs, data, topic, id);
  }

  private static String text(String name, byte @Nullable [] value) throws IOException {
    if (value == null || !begins(value, '"')) {
      throw new IllegalArgumentException("has no text as its '" + name + "'");
    }
    try (JsonParser parser = JSON.createParser(value)) {
      parser.nextToken();
      return parser.getText();
    }
  }

  private static long timeUs(byte[] value) {
    String digits = new String(value, StandardCharsets.US_ASCII);
    if (!digits.matches("[0-9]{1," + MOST_DIGITS + "}")) {
      throw new IllegalArgumentException(
          "has no whole number of microseconds since 1970 as its 'time'");
    }
    return Long.parseLong(digits);
  }
}
