package io.galop.broadcast.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.broadcast.RingConfig;
import io.galop.record.Position;
import io.galop.record.Record;
import org.junit.jupiter.api.Test;

class RingTest {
  private static Entry entry(int shard, int epoch, int offset) {
    return Entry.of(
        new Position(shard, epoch, offset), new Record("i", "t", 1, new byte[] {'{', '}'}));
  }

  @Test
  void isBoundedInNumberAndKnowsWhatItNoLongerHas() {
    Ring ring = new Ring(new RingConfig(1_000_000, 16), 2);
    ring.restart(0, new Position(0, 3, 7));
    ring.restart(1, new Position(1, 1, 0));
    for (int i = 1; i <= 20; i++) {
      ring.append(entry(0, 3, 7 + i));
      ring.append(entry(1, 1, i));
    }
    assertEquals(40, ring.next());
    assertEquals(24, ring.first());
    assertNull(ring.get(23));
    assertEquals(new Position(0, 3, 20), ring.get(24).position());
    assertEquals(new Position(0, 3, 19), ring.floor(0));
    assertEquals(new Position(1, 1, 12), ring.floor(1));
    assertEquals(26, ring.firstAfter(0, new Position(0, 3, 20)));
    assertEquals(24, ring.firstAfter(0, new Position(0, 3, 19)));
    assertEquals(40, ring.firstAfter(0, new Position(0, 3, 27)));
    assertEquals(new Position(0, 3, 23), ring.middle(0));
  }

  @Test
  void isBoundedInBytesButHoldsAtLeastTheNewest() {
    int cost = entry(0, 1, 1).cost();
    Ring ring = new Ring(new RingConfig(3L * cost + cost / 2, 1000), 1);
    for (int i = 1; i <= 9; i++) {
      ring.append(entry(0, 1, i));
      assertTrue(ring.bytes() <= 3L * cost + cost / 2);
    }
    assertEquals(3, ring.next() - ring.first());
    Ring tiny = new Ring(new RingConfig(1, 1000), 1);
    tiny.append(entry(0, 1, 1));
    tiny.append(entry(0, 1, 2));
    assertEquals(new Position(0, 1, 2), tiny.get(1).position());
    assertNull(tiny.get(0));
  }

  @Test
  void goesOnOverEpochsAndBeginsAnewAfterAGap() {
    Ring ring = new Ring(new RingConfig(1_000_000, 64), 1);
    for (int i = 1; i <= 5; i++) {
      ring.append(entry(0, 1, i));
    }
    ring.append(entry(0, 2, 1));
    assertEquals(5, ring.firstAfter(0, new Position(0, 1, 5)));
    assertEquals(5, ring.firstAfter(0, new Position(0, 1, 9)));
    ring.restart(0, new Position(0, 2, 8));
    ring.append(entry(0, 2, 9));
    assertEquals(new Position(0, 2, 8), ring.floor(0));
    assertEquals(6, ring.firstAfter(0, new Position(0, 2, 8)));
    assertEquals(new Position(0, 1, 1), ring.get(0).position());
  }
}
