package io.galop.persist.ram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What somebody is told who comes with a Position. */
class ShardMemoryTest {
  private final RamTier tier = new RamTier(1 << 20, 1);
  private final ShardMemory memory = new ShardMemory(tier, 0, 1000, 100, 1 << 20);

  @AfterEach
  void close() {
    memory.close();
    assertEquals(0, tier.allocatedBytes());
  }

  private static Batch batch(long epoch, long first, int count) {
    List<Record> records =
        LongStream.range(first, first + count)
            .mapToObj(n -> new Record(epoch + "-" + n, "t", n, new byte[100]))
            .toList();
    return new Batch(0, epoch, first, records);
  }

  private static Position at(long epoch, long offset) {
    return new Position(0, epoch, offset);
  }

  /** Epoch 10 with 5 records of which 3 became durable, 20 with none, 30 with 2. */
  private void threeEpochs() {
    memory.begin(10, Position.none(0));
    memory.append(batch(10, 1, 5), 0);
    memory.begin(20, at(10, 3));
    memory.begin(30, at(20, 0));
    memory.append(batch(30, 1, 2), 0);
  }

  private void assertResume(Position since, Position from, boolean complete) {
    assertEquals(new Resume(from, complete), memory.resume(since));
  }

  /** Who sends a record again is answered the same when its shard has got another memory. */
  @Test
  void anotherMemoryKnowsTheIdsOfWhatIsKept() {
    memory.begin(1, Position.none(0));
    for (Batch placed : List.of(batch(1, 1, 3), batch(1, 4, 2))) {
      assertEquals(placed.records(), memory.takeNew(placed.records()));
      memory.append(placed, 0);
    }
    try (ShardMemory next = new ShardMemory(tier, 0, 1000, 100, 1 << 20)) {
      next.inheritIds(memory, new Position(0, 1, 3));
      assertEquals(List.of(), next.takeNew(batch(1, 1, 3).records()));
      assertEquals(2, next.takeNew(batch(1, 4, 2).records()).size(), "these were never kept");
    }
  }

  @Test
  void whoHasNothingBeginsAtTheHead() {
    threeEpochs();
    assertResume(Position.none(0), at(30, 2), true);
  }

  @Test
  void withinAnEpoch() {
    threeEpochs();
    assertResume(at(10, 0), at(10, 0), true);
    assertResume(at(10, 2), at(10, 2), true);
    assertResume(at(30, 1), at(30, 1), true);
    assertResume(at(30, 2), at(30, 2), true);
  }

  @Test
  void theEndOfAnEpochIsTheBeginningOfTheNextWithRecords() {
    threeEpochs();
    assertResume(at(10, 3), at(30, 0), true);
    assertResume(at(20, 0), at(30, 0), true);
  }

  @Test
  void shownButNeverDurableIsCompleteAndGoesOnInTheNextEpoch() {
    threeEpochs();
    assertResume(at(10, 5), at(30, 0), true);
    assertResume(at(20, 9), at(30, 0), true);
  }

  @Test
  void whatWasNotDurableIsNotShownAgain() {
    threeEpochs();
    Batch rest = memory.after(at(10, 1), 1 << 20);
    assertEquals(2, rest.records().size());
    assertEquals(at(30, 1), memory.after(at(10, 3), 1 << 20).position(0));
  }

  @Test
  void unknownEpochsAreNotComplete() {
    threeEpochs();
    assertResume(at(15, 1), at(0, 0), false);
    assertResume(at(99, 1), at(0, 0), false);
  }

  @Test
  void theFutureIsNotComplete() {
    threeEpochs();
    assertResume(at(30, 3), at(30, 2), false);
  }

  @Test
  void whatFellOutOfMemoryIsNotComplete() {
    threeEpochs();
    long first = 3;
    for (; memory.tail().floor().epoch() < 30; first += 100) {
      memory.append(batch(30, first, 100), 0);
    }
    Position floor = memory.tail().floor();
    assertResume(at(10, 3), floor, false);
    assertResume(at(30, floor.offset() - 1), floor, false);
    assertResume(floor, floor, true);
    assertTrue(memory.holdsAfter(floor));
    assertFalse(memory.holdsAfter(at(30, 1)));
  }

  @Test
  void theEndOfAnEpochIsHeldWhereTheNextIsHeldWhole() {
    threeEpochs();
    memory.tail().raiseFloor(at(30, 0));
    assertResume(at(10, 3), at(30, 0), true);
    assertResume(at(10, 2), at(30, 0), false);
  }

  @Test
  void doubtAboutWhatCameBetweenIsNotComplete() {
    memory.begin(10, Position.none(0));
    memory.append(batch(10, 1, 5), 0);
    memory.begin(30, Position.none(0));
    memory.append(batch(30, 1, 2), 0);
    assertResume(at(10, 5), at(30, 0), false);
    assertResume(at(30, 0), at(30, 0), true);
  }

  /** Epoch 20 may have had records that nobody here knows of. */
  @Test
  void anEpochThatDoesNotFollowOnTheOneBeforeIsNotComplete() {
    memory.begin(10, Position.none(0));
    memory.append(batch(10, 1, 3), 0);
    memory.begin(20, at(10, 3));
    memory.begin(30, at(10, 3));
    assertResume(at(10, 3), at(30, 0), false);
    assertResume(at(30, 0), at(30, 0), true);
  }

  @Test
  void idsAreTakenOnce() {
    Batch batch = batch(10, 1, 3);
    assertEquals(batch.records(), memory.takeNew(batch.records()));
    Batch more = batch(10, 2, 4);
    List<Record> fresh = memory.takeNew(more.records());
    assertEquals(List.of("10-4", "10-5"), fresh.stream().map(Record::id).toList());
    memory.forget(fresh);
    assertEquals(fresh, memory.takeNew(more.records()));
    assertEquals(List.of(), memory.takeNew(more.records()));
  }

  @Test
  void aRecordTwiceInOneBatchIsTakenOnce() {
    List<Record> twice = List.of(batch(1, 1, 1).records().get(0), batch(1, 1, 1).records().get(0));
    assertEquals(1, memory.takeNew(twice).size());
  }
}
