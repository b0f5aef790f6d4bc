package io.galop.persist.ram;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
  private final LatestTopics latest = new LatestTopics(3, 4);
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
  }

  @Test
  void theLeastRecentlyChangedGoesAndItsPlaceIsUsedAgain() {
    put("a", "b", "c", "d", "a", "e", "f");
    assertEquals(Set.of("a@3.7-5", "d@3.7-4", "e@3.7-6", "f@3.7-7"), all(1));
    assertEquals(2, latest.evictions());
    assertEquals(4, latest.size());
  }
}
