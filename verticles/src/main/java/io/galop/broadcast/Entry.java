package io.galop.broadcast;

import io.galop.record.JsonString;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;

/**
 * A record as a node keeps it for its browsers: encoded once, except for the filter that each of
 * them registered, which a {@link FilterGroup} puts before it.
 */
final class Entry {
  /** The objects around the text, about, on a 64-bit JVM with compressed references. */
  private static final int OVERHEAD_BYTES = 160;

  private final Position position;
  private final String topic;
  private final String remainder;
  private final int cost;
  private long sequence = -1;

  private Entry(Position position, String topic, String remainder, int cost) {
    this.position = position;
    this.topic = topic;
    this.remainder = remainder;
    this.cost = cost;
  }

  static Entry of(Position position, Record record) {
    String data = new String(record.data(), StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(data.length() + record.topic().length() + 128);
    JsonString.quote(text.append("{\"id\":"), record.id());
    text.append(",\"time\":").append(record.timeUs()).append(",\"data\":").append(data);
    JsonString.quote(text.append("},\"headers\":{\"topic\":"), record.topic());
    text.append(",\"pos\":\"").append(position).append("\"}}");
    int bytesPerChar = data.length() == record.data().length ? 1 : 2;
    int cost = OVERHEAD_BYTES + text.length() * bytesPerChar;
    return new Entry(position, record.topic(), text.toString(), cost);
  }

  /** Numbers the entry; before other threads see it. */
  void number(long sequence) {
    this.sequence = sequence;
  }

  /** The entry's number in the node's ring; -1 if it was never there. */
  long sequence() {
    return sequence;
  }

  Position position() {
    return position;
  }

  int shard() {
    return position.shard();
  }

  String topic() {
    return topic;
  }

  /** The message to a browser from the value of {@code body} on. */
  String remainder() {
    return remainder;
  }

  /** About how many bytes of memory the entry takes. */
  int cost() {
    return cost;
  }
}
