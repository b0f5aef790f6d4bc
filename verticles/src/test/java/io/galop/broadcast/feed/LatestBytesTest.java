package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.ring.Entry;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import org.junit.jupiter.api.Test;

/** The latest records of a broadcast node keep within their bytes. */
class LatestBytesTest {
  private static final TopicFilter ALL = TopicFilter.parse("#", 16);
  private final LastValueCache latest = new LastValueCache(100, 6_000);
  private long offset;

  private void put(String topic, int bytes) {
    String data = "{\"pad\":\"" + "x".repeat(bytes) + "\"}";
    Position position = new Position(1, 7, ++offset);
    latest.put(Entry.of(position, new Record("id", topic, 0, data.getBytes())));
  }

  @Test
  void theLongestUnchangedGoesAndSnapshotsSayThatTheyArePartial() {
    for (int i = 0; i < 10; i++) {
      put("t" + i, 1_000);
      assertTrue(latest.bytes() <= 6_000, "" + latest.bytes());
    }
    assertEquals(4, latest.size());
    assertTrue(latest.isPartial(ALL));
    put("t9", 10);
    assertEquals(4, latest.size());
    latest.forget("t9");
    latest.clear();
    assertEquals(0, latest.bytes());
  }
}
