package io.galop.persist.store;

import io.galop.json.JsonString;
import io.galop.json.TextBytes;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;

/**
 * A record as clients see it: {@code {"id":…,"topic":…,"time":…,"data":{…},"pos":…}}, {@code pos}
 * only where it is known.
 */
public final class RecordJson {
  private static final byte[] ID = ascii("{\"id\":");
  private static final byte[] TOPIC = ascii(",\"topic\":");
  private static final byte[] TIME = ascii(",\"time\":");
  private static final byte[] DATA = ascii(",\"data\":");
  private static final byte[] POS = ascii(",\"pos\":\"");

  private RecordJson() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Writes a record.
   *
   * @param data of the record, or what is shown of it
   */
  public static void append(Placed placed, byte[] data, TextBytes to) {
    Record record = placed.record();
    to.add(ID).add(JsonString.element(record.id()));
    to.add(TOPIC).add(JsonString.element(record.topic()));
    to.add(TIME).add(record.timeUs()).add(DATA).add(onOneLine(data));
    Position position = placed.position();
    if (!position.isNone()) {
      to.add(POS).add(position.shard()).add('.').add(position.epoch());
      to.add('-').add(position.offset()).add('"');
    }
    to.add('}');
  }

  /** Line ends may only stand between the tokens of a JSON text, where a space means the same. */
  public static byte[] onOneLine(byte[] json) {
    byte[] line = json;
    for (int i = 0; i < json.length; i++) {
      if (json[i] == '\n' || json[i] == '\r') {
        line = line == json ? json.clone() : line;
        line[i] = ' ';
      }
    }
    return line;
  }
}
