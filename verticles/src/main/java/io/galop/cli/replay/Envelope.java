package io.galop.cli.replay;

import io.galop.record.JsonString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Puts a record's data into a line for the tcp door. Ids depend on the file's content and the line
 * only, so that a record sent twice is recognised.
 */
final class Envelope {
  private final byte[] head;

  /**
   * @param topic the topic of all records
   * @param idPrefix what ids begin with, before {@code :<line>}
   */
  Envelope(String topic, String idPrefix) {
    String quotedPrefix = JsonString.quoted(idPrefix);
    String openId = quotedPrefix.substring(0, quotedPrefix.length() - 1);
    head =
        "{\"topic\":%s,\"id\":%s:"
            .formatted(JsonString.quoted(topic), openId)
            .getBytes(StandardCharsets.UTF_8);
  }

  /** The line, with its end. */
  byte[] wrap(Source.Entry entry) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(entry.data().length + head.length + 64);
    line.writeBytes(head);
    String time = entry.timeUs() == Source.NO_TIME ? "" : ",\"time\":" + entry.timeUs();
    line.writeBytes(
        (entry.line() + "\"" + time + ",\"data\":").getBytes(StandardCharsets.US_ASCII));
    line.writeBytes(entry.data());
    line.write('}');
    line.write('\n');
    return line.toByteArray();
  }
}
