package io.galop.persist.history;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.buffer.Buffer;

/**
 * A record as clients see it: {@code {"id":…,"topic":…,"time":…,"data":{…},"pos":…}}, {@code pos}
 * only where it is known.
 */
final class RecordJson {
  private RecordJson() {}

  static void append(Placed placed, Buffer to) {
    Record record = placed.record();
    to.appendString("{\"id\":");
    text(record.id(), to).appendString(",\"topic\":");
    text(record.topic(), to).appendString(",\"time\":");
    to.appendString(Long.toString(record.timeUs())).appendString(",\"data\":");
    to.appendBytes(onOneLine(record.data()));
    Position position = placed.position();
    if (!position.isNone()) {
      to.appendString(",\"pos\":\"").appendString(position.toString()).appendByte((byte) '"');
    }
    to.appendByte((byte) '}');
  }

  /** Line ends may only stand between the tokens of a JSON text, where a space means the same. */
  private static byte[] onOneLine(byte[] json) {
    byte[] line = json;
    for (int i = 0; i < json.length; i++) {
      if (json[i] == '\n' || json[i] == '\r') {
        line = line == json ? json.clone() : line;
        line[i] = ' ';
      }
    }
    return line;
  }

  static Buffer text(String text, Buffer to) {
    return to.appendByte((byte) '"')
        .appendBytes(JsonStringEncoder.getInstance().quoteAsUTF8(text))
        .appendByte((byte) '"');
  }
}
