package io.galop.persist.inspect;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.galop.record.Record;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes records as the lines that doors read. */
final class ExportLine {
  private static final byte[] TOPIC = ascii("{\"topic\":\"");
  private static final byte[] DATA = ascii("\",\"data\":");
  private static final byte[] ID = ascii(",\"id\":\"");
  private static final byte[] TIME = ascii("\",\"time\":");
  private static final byte[] END = ascii("}\n");

  private final OutputStream out;
  private final boolean storedIds;
  private long count;

  ExportLine(OutputStream out, boolean storedIds) {
    this.out = out;
    this.storedIds = storedIds;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  void print(Record record) throws IOException {
    String id = storedIds ? record.id() : record.id().replace('#', '.');
    out.write(TOPIC);
    out.write(JsonStringEncoder.getInstance().quoteAsUTF8(record.topic()));
    out.write(DATA);
    out.write(onOneLine(record.data()));
    out.write(ID);
    out.write(JsonStringEncoder.getInstance().quoteAsUTF8(id));
    out.write(TIME);
    out.write(ascii(Long.toString(record.timeUs())));
    out.write(END);
    count++;
  }

  /** Line ends may only stand between the tokens of a JSON text, where a space means the same. */
  private static byte[] onOneLine(byte[] json) {
    byte[] line = json.clone();
    for (int i = 0; i < line.length; i++) {
      if (line[i] == '\n' || line[i] == '\r') {
        line[i] = ' ';
      }
    }
    return line;
  }

  /** How many were printed. */
  long count() {
    return count;
  }

  void flush() throws IOException {
    out.flush();
  }
}
