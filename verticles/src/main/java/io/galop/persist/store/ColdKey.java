package io.galop.persist.store;

import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The place of a record in the order of a query: by event time, then by the UTF-8 bytes of the id,
 * then by those of the topic. Two topics may have the same id at the same time.
 */
public record ColdKey(long timeUs, String id, String topic) implements Comparable<ColdKey> {
  public static ColdKey of(Record record) {
    return new ColdKey(record.timeUs(), record.id(), record.topic());
  }

  @Override
  public int compareTo(ColdKey other) {
    int byTime = Long.compare(timeUs, other.timeUs);
    if (byTime != 0) {
      return byTime;
    }
    int byId = compareBytes(id, other.id);
    return byId != 0 ? byId : compareBytes(topic, other.topic);
  }

  private static int compareBytes(String a, String b) {
    return a.equals(b) ? 0 : Arrays.compareUnsigned(bytes(a), bytes(b));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
