package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.enrich.step.EnrichMeters;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeenIdsTest {
  private static final Record A = record("a", "t", "{}");
  private static final Record B = record("b", "t", "{}");
  private final EnrichMeters meters = new EnrichMeters(new SimpleMeterRegistry());
  private final SeenIds seen = new SeenIds(1024, 200, meters);

  private Work begin(Record... records) {
    List<Record> raw = List.of(records);
    Work work = new Work(raw, DoorStamp.NONE);
    seen.begin(work);
    return work;
  }

  @Test
  void whatBrokeTheChainCountsAsNeverSeen() {
    Work work = begin(A);
    seen.onNotEnriched(work);
    work.fail(new IllegalStateException("broken"));
    assertEquals(List.of(A), begin(A).fresh);
  }

  @Test
  void aSecondCopyEndsAsTheFirstDoes() {
    Work first = begin(A);
    Work second = begin(A, B);
    assertEquals(List.of(B), second.fresh);
    second.settle();
    assertFalse(second.done().isComplete());
    seen.onNotStored(first, List.of(record("a#1", "t", "{}")));
    first.fail(new IllegalStateException("full"));
    assertTrue(second.done().failed());
    assertEquals(List.of("a#1"), begin(A).again.stream().map(Record::id).toList());
  }

  @Test
  void aRecordSentAgainIsTakenCareOfLikeAFreshOne() {
    Work first = begin(A);
    seen.onNotStored(first, List.of(record("a#1", "t", "{}"), record("a#2", "t", "{}")));
    Work again = begin(A);
    assertEquals(2, again.again.size());
    Work third = begin(A);
    assertTrue(third.fresh.isEmpty() && third.again.isEmpty());
    assertFalse(third.firstCopies.isEmpty());
    seen.onStored(again);
    assertTrue(begin(A).firstCopies.isEmpty());
  }

  @Test
  void beyondTheBoundTheOldestIsEnrichedAnew() {
    Record large = record("a#1", "t", "{\"x\":\"" + "x".repeat(100) + "\"}");
    seen.onNotStored(begin(A), List.of(large));
    seen.onNotStored(begin(B), List.of(record("b", "t", large.data().length + "x".repeat(100))));
    assertTrue(seen.unsettledBytes() <= 200);
    assertEquals(List.of(A), begin(A).fresh);
    assertEquals(1, begin(B).again.size());
    assertEquals(1, meters.unsettledGivenUp.count());
  }

  @Test
  void aDroppedRecordOfAFailedBatchIsDone() {
    Work work = begin(A, B);
    seen.onNotStored(work, List.of(record("b", "t", "{}")));
    Work again = begin(A, B);
    assertEquals(List.of("b"), again.again.stream().map(Record::id).toList());
    assertTrue(again.fresh.isEmpty());
  }
}
