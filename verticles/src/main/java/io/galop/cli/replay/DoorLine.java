package io.galop.cli.replay;

import io.galop.json.JsonString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Puts a record into a line for the tcp door. An id that the file does not give depends on the
 * file's content and the line only, so that a record sent twice is recognised.
 */
final class DoorLine {
  private final String topic;
  private final String idPrefix;
  private final String madePrefix;

  /**
   * @param topic the topic of all records that say none; of the others what goes before theirs
   * @param idPrefix what goes before ids
   * @param idBase what follows that in ids that are made, before {@code :<line>}
   */
  DoorLine(String topic, String idPrefix, String idBase) {
    this.topic = topic;
    this.idPrefix = idPrefix;
    this.madePrefix = idPrefix + idBase + ':';
  }

  /** The line, with its end. */
  byte[] wrap(Source.Entry entry) {
    StringBuilder head = new StringBuilder("{\"topic\":");
    JsonString.quote(head, topic(entry)).append(",\"id\":");
    boolean made = entry.id().isEmpty();
    JsonString.quote(head, made ? madePrefix + entry.line() : idPrefix + entry.id());
    if (entry.timeUs() != Source.NO_TIME) {
      head.append(",\"time\":").append(entry.timeUs());
    }
    head.append(",\"data\":");
    ByteArrayOutputStream line = new ByteArrayOutputStream(entry.data().length + 128);
    line.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
    line.writeBytes(entry.data());
    line.write('}');
    line.write('\n');
    return line.toByteArray();
  }

  private String topic(Source.Entry entry) {
    if (entry.topic().isEmpty() || topic.isEmpty()) {
      return topic + entry.topic();
    }
    return topic + '/' + entry.topic();
  }
}
