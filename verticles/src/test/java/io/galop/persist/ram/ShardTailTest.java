package io.galop.persist.ram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardTailTest {
  private static final long MAX_BYTES = 1 << 20;
  private final RamTier tier = new RamTier(MAX_BYTES, 2);
  private final ShardTail tail = new ShardTail(tier, 0);

  @AfterEach
  void everythingIsGivenBack() {
    tail.close();
    tier.close();
    assertEquals(0, tier.allocatedBytes());
  }

  private static Record record(long n, int size) {
    byte[] data = "x".repeat(size).getBytes(StandardCharsets.US_ASCII);
    return new Record("id" + n, "topic/é" + n % 3, n, data);
  }

  private static Batch batch(long epoch, long first, int count, int size) {
    List<Record> records =
        LongStream.range(first, first + count).mapToObj(n -> record(n, size)).toList();
    return new Batch(0, epoch, first, records);
  }

  private static Position at(long epoch, long offset) {
    return new Position(0, epoch, offset);
  }

  private List<Position> all(Position from) {
    List<Position> found = new ArrayList<>();
    Position next = from;
    for (Batch batch = tail.after(next, 1000);
        !batch.records().isEmpty();
        batch = tail.after(next, 1000)) {
      for (int i = 0; i < batch.records().size(); i++) {
        next = batch.position(i);
        found.add(next);
        assertEquals("id" + next.offset(), batch.records().get(i).id());
      }
    }
    return found;
  }

  @Test
  void whatGoesInComesOutFromAnyPlace() {
    tail.begin(5);
    for (int i = 0; i < 100; i++) {
      tail.append(batch(5, 1 + 10L * i, 10, 150), 0);
    }
    for (long from : new long[] {0, 1, 15, 16, 17, 500, 998, 999}) {
      List<Position> expected =
          LongStream.rangeClosed(from + 1, 1000).mapToObj(n -> at(5, n)).toList();
      assertEquals(expected, all(at(5, from)));
    }
    assertEquals(List.of(), all(at(5, 1000)));
    assertEquals(at(5, 1000), tail.head());
    Record read = tail.after(at(5, 41), 1).records().get(0);
    assertEquals("topic/é0", read.topic());
    assertEquals(42, read.timeUs());
    assertEquals(150, read.data().length);
  }

  @Test
  void aBatchIsOfOneEpochAndTheNextFollows() {
    tail.begin(5);
    tail.append(batch(5, 1, 3, 10), 0);
    tail.begin(9);
    tail.append(batch(9, 1, 2, 10), 0);
    assertEquals(5, tail.after(at(5, 0), 1 << 20).epoch());
    assertEquals(List.of(at(5, 2), at(5, 3), at(9, 1), at(9, 2)), all(at(5, 1)));
    assertEquals(List.of(at(9, 1), at(9, 2)), all(at(5, 3)));
    assertEquals(List.of(at(9, 2)), all(at(9, 1)));
  }

  @Test
  void theBytesBoundIsKeptAndTheOldestGo() {
    tail.begin(5);
    for (int i = 0; i < 5_000; i++) {
      tail.append(batch(5, 1 + 10L * i, 10, 200), 0);
      assertTrue(tier.allocatedBytes() <= MAX_BYTES, "at " + i);
    }
    assertTrue(tier.evictions() > 0);
    Position floor = tail.floor();
    assertTrue(floor.offset() > 40_000 && floor.offset() < 50_000, "floor " + floor);
    assertEquals(50_000 - floor.offset(), all(floor).size());
  }

  @Test
  void anotherShardsGrowthEvictsTheOldestOfTheNode() {
    tail.begin(5);
    tail.append(batch(5, 1, 1000, 200), 0);
    try (ShardTail other = new ShardTail(tier, 1)) {
      other.begin(7);
      for (int i = 0; i < 1000; i++) {
        List<Record> records = batch(7, 1 + 10L * i, 10, 200).records();
        other.append(new Batch(1, 7, 1 + 10L * i, records), 0);
      }
      assertTrue(tail.floor().offset() > 0, "the first shard gave way");
      assertTrue(tier.allocatedBytes() <= MAX_BYTES);
      assertEquals(1000 - tail.floor().offset(), all(tail.floor()).size());
    }
  }

  @Test
  void aReaderKeepsAnEvictedSlabUntilItIsDone() {
    tail.begin(5);
    tail.append(batch(5, 1, 1, 200), 0);
    Slab oldest = tail.slabs()[0];
    assertTrue(oldest.retain());
    for (int i = 0; i < 10_000; i++) {
      tail.append(batch(5, 2 + i, 1, 200), 0);
    }
    assertTrue(oldest.isEvicted());
    assertEquals("id1", RecordCodec.read(oldest.bytes(), 0).id());
    long before = tier.allocatedBytes();
    oldest.release();
    assertTrue(tier.allocatedBytes() < before);
    assertFalse(oldest.retain());
  }

  @Test
  void oldSlabsGoByAgeAndTheLastOneToo() {
    tail.begin(5);
    tail.append(batch(5, 1, 1000, 200), 1_000);
    tail.append(batch(5, 1001, 1, 200), 2_000);
    tail.dropOlderThan(1_500);
    assertTrue(tail.floor().offset() >= 500, "floor " + tail.floor());
    assertTrue(tail.floor().offset() <= 1000);
    tail.dropOlderThan(2_001);
    assertEquals(at(5, 1001), tail.floor());
    assertEquals(0, tier.allocatedBytes());
    tail.append(batch(5, 1002, 1, 200), 3_000);
    assertEquals(List.of(at(5, 1002)), all(tail.floor()));
  }

  @Test
  void aRecordLargerThanASlabHasOneOfItsOwn() {
    tail.begin(5);
    tail.append(batch(5, 1, 3, 500_000), 0);
    assertEquals(3 - tail.floor().offset(), all(tail.floor()).size());
    assertEquals(500_000, tail.after(at(5, 2), 1).records().get(0).data().length);
  }

  @Test
  void nothingIsTakenBeforeThereIsSomething() {
    tail.begin(5);
    assertEquals(0, tier.allocatedBytes());
    tail.append(batch(5, 1, 1, 10), 0);
    assertTrue(tier.allocatedBytes() <= 64 * 1024, "a little for a little");
  }

  @Test
  void aHoleRaisesTheFloor() {
    tail.begin(5);
    tail.append(batch(5, 1, 3, 10), 0);
    tail.append(batch(5, 7, 3, 10), 0);
    assertEquals(at(5, 6), tail.floor());
    assertEquals(List.of(at(5, 7), at(5, 8), at(5, 9)), all(at(5, 6)));
  }
}
