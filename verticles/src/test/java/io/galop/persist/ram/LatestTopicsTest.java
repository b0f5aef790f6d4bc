package io.galop.persist.ram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LatestTopicsTest {
  private final LatestTopics latest = new LatestTopics(3, 4, 1 << 20);
  private long next = 1;

  private void put(String... topics) {
    List<Record> records =
        Arrays.stream(topics).map(t -> new Record("id", t, 0, new byte[10])).toList();
    latest.put(new Batch(3, 7, next, records));
    next += topics.length;
  }

  private Set<String> all(int maxBytes) {
    List<String> found = new ArrayList<>();
    int at = 0;
    while (at >= 0) {
      LatestTopics.Some some = latest.some(at, maxBytes);
      for (Placed placed : some.records()) {
        found.add(placed.record().topic() + "@" + placed.position());
      }
      at = some.next();
    }
    Set<String> once = new HashSet<>(found);
    assertEquals(found.size(), once.size());
    return once;
  }

  @Test
  void theNewestOfEachTopicInPagesOfAnySize() {
    put("a", "b", "a", "c");
    Set<String> expected = Set.of("a@3.7-3", "b@3.7-2", "c@3.7-4");
    assertEquals(expected, all(1));
    assertEquals(expected, all(60));
    assertEquals(expected, all(1 << 20));
    assertEquals("3.7-3", latest.get("a").orElseThrow().position().toString());
    assertTrue(latest.get("d").isEmpty());
  }

  @Test
  void theLeastRecentlyChangedGoesAndItsPlaceIsUsedAgain() {
    put("a", "b", "c", "d", "a", "e", "f");
    assertEquals(Set.of("a@3.7-5", "d@3.7-4", "e@3.7-6", "f@3.7-7"), all(1));
    assertEquals(2, latest.evictions());
    assertEquals(4, latest.size());
  }

  @Test
  void beyondItsBytesTheLeastRecentlyChangedGoesHoweverFewTopicsThereAre() {
    LatestTopics small = new LatestTopics(3, 100, 5_000);
    for (int i = 1; i <= 9; i++) {
      Record large = new Record("id", "t" + i, 0, new byte[1_000]);
      small.put(new Batch(3, 7, i, List.of(large)));
      assertTrue(small.bytes() <= 5_000, "" + small.bytes());
    }
    assertEquals(3, small.size());
    assertEquals(6, small.evictions());
    assertTrue(small.hasForgotten());
    small.put(new Batch(3, 7, 10, List.of(new Record("id", "t9", 0, new byte[9_000]))));
    assertEquals(1, small.size(), "one is always kept");
    small.put(new Batch(3, 7, 11, List.of(new Record("id", "t9", 0, new byte[10]))));
    assertTrue(small.bytes() < 1_000, "what it took is given back: " + small.bytes());
  }
}
