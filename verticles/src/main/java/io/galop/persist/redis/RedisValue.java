package io.galop.persist.redis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.galop.record.JsonString;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * A record as the server holds it, easy to read with its own tools: {@code
 * {"topic":…,"time":"2014-03-16T20:00:00.123456Z","timeUs":…,"pos":"7.3-12","data":{…}}}. The data
 * comes last and byte for byte.
 */
final class RedisValue {
  private static final JsonFactory JSON = new JsonFactory();

  private RedisValue() {}

  static byte[] of(Placed placed) {
    Record record = placed.record();
    StringBuilder head = new StringBuilder(160).append("{\"topic\":");
    JsonString.quote(head, record.topic());
    head.append(",\"time\":\"")
        .append(Instant.EPOCH.plus(record.timeUs(), ChronoUnit.MICROS))
        .append("\",\"timeUs\":")
        .append(record.timeUs())
        .append(",\"pos\":\"")
        .append(placed.position())
        .append("\",\"data\":");
    byte[] start = head.toString().getBytes(StandardCharsets.UTF_8);
    byte[] value = Arrays.copyOf(start, start.length + record.data().length + 1);
    System.arraycopy(record.data(), 0, value, start.length, record.data().length);
    value[value.length - 1] = '}';
    return value;
  }

  /**
   * Reads a value back.
   *
   * @throws UncheckedIOException if it is none
   */
  static Placed read(String id, byte[] value) {
    String topic = "";
    long timeUs = 0;
    Position position = Position.none(0);
    try (JsonParser parser = JSON.createParser(value)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        switch (field) {
          case "topic" -> topic = parser.getText();
          case "timeUs" -> timeUs = parser.getLongValue();
          case "pos" -> position = Position.parse(parser.getText());
          case "data" -> {
            int from = (int) parser.currentTokenLocation().getByteOffset();
            byte[] data = Arrays.copyOfRange(value, from, value.length - 1);
            return new Placed(position, new Record(id, topic, timeUs, data));
          }
          default -> parser.skipChildren();
        }
      }
      throw new IOException("the record " + id + " in the backup tier has no data");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
