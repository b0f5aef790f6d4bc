package io.galop.persist.redis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.galop.json.JsonString;
import io.galop.json.TextBytes;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A record as the server holds it, easy to read with its own tools: {@code
 * {"topic":…,"time":"2014-03-16T20:00:00.123456Z","timeUs":…,"pos":"7.3-12","data":{…}}}. The data
 * comes last and byte for byte.
 */
final class RedisValue {
  private static final JsonFactory JSON = new JsonFactory();
  private static final byte[] TOPIC = ascii("{\"topic\":");
  private static final byte[] TIME = ascii(",\"time\":\"");
  private static final byte[] TIME_US = ascii("\",\"timeUs\":");
  private static final byte[] POS = ascii(",\"pos\":\"");
  private static final byte[] DATA = ascii("\",\"data\":");

  /** What a value takes beside its topic and its data, about. */
  private static final int MOST_BESIDE = 160;

  private RedisValue() {}

  static byte[] of(Placed placed) {
    Record record = placed.record();
    Position position = placed.position();
    byte[] topic = JsonString.element(record.topic());
    return new TextBytes(MOST_BESIDE + topic.length + record.data().length)
        .add(TOPIC)
        .add(topic)
        .add(TIME)
        .time(record.timeUs())
        .add(TIME_US)
        .add(record.timeUs())
        .add(POS)
        .add(position.shard())
        .add('.')
        .add(position.epoch())
        .add('-')
        .add(position.offset())
        .add(DATA)
        .add(record.data())
        .add('}')
        .toBytes();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads values back; an id without one is passed over. */
  static List<Placed> readAll(List<byte[]> ids, List<RedisReply> values) {
    List<Placed> records = new ArrayList<>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      String id = RedisMember.id(ids.get(i));
      values.get(i).bytes().map(value -> read(id, value)).ifPresent(records::add);
    }
    return records;
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
