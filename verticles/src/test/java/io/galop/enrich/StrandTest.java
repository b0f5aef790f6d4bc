package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.refusal;
import static io.galop.enrich.StrandFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.enrich.StrandFixture.HeldStep;
import io.galop.enrich.step.Scope;
import io.galop.record.Batch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of one shard, what a step takes its time for holds up nothing else, and order is kept. */
@Timeout(180)
class StrandTest {
  private static final Refusal FULL = new Refusal(Refusal.Why.OVER_QUOTA, "the disk is full");
  private final HeldStep slow = new HeldStep("slow/#", "both/#");
  private final HeldStep late = new HeldStep("late/#", "both/#");

  @Test
  void topicsThatNoStepHoldsPassThoseThatWait() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow)) {
      Future<Void> mixed = shard.send(record("a", "slow/1"), record("b", "fast/1"));
      await(shard.send(record("c", "fast/1")));
      assertEquals(List.of("b", "c"), shard.ids());
      assertFalse(mixed.isComplete(), "acknowledged before all of it was stored");
      Future<Void> behind = shard.send(record("d", "slow/1"));
      slow.next().release();
      await(mixed);
      slow.next().release();
      await(behind);
      assertEquals(List.of("b", "c", "a", "d"), shard.ids());
    }
  }

  @Test
  void eachStepHoldsItsOwnTopicsOnly() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow, late)) {
      Future<Void> first = shard.send(record("a", "slow/1"), record("b", "both/1"));
      Future<Void> second = shard.send(record("c", "late/1"), record("d", "fast/1"));
      late.next().release();
      await(second);
      assertEquals(2, shard.stored.size());
      slow.next().release();
      slow.next().release();
      assertFalse(first.isComplete());
      late.next().release();
      await(first);
      assertEquals(4, shard.stored.size());
    }
  }

  @Test
  void aStepIsGivenOneBatchAfterTheOtherInTheOrderInWhichTheyCame() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow)) {
      Future<Void> first =
          shard.send(record("a", "slow/1"), record("x", "fast/1"), record("b", "slow/2"));
      Future<Void> second = shard.send(record("c", "slow/1"));
      Future<Void> third = shard.send(record("d", "slow/2"), record("e", "slow/1"));
      await(shard.send(record("y", "fast/1")));
      for (List<String> ids : List.of(List.of("a", "b"), List.of("c"), List.of("d", "e"))) {
        HeldStep.Held held = slow.next();
        assertEquals(ids, held.records().stream().map(one -> one.id()).toList());
        assertTrue(slow.isIdle(), "given another before it has answered");
        held.release();
      }
      await(Future.all(first, second, third));
      assertEquals(List.of("x", "y", "a", "b", "c", "d", "e"), shard.ids());
    }
  }

  /** Else what is sent again would come behind it, and an older value stand as the newest. */
  @Test
  void whatIsNotStoredHoldsBackWhatIsBehindIt() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow)) {
      Promise<Void> disk = Promise.promise();
      CountDownLatch reached = new CountDownLatch(1);
      shard.persist = batch -> holds(batch, "a", reached) ? disk.future() : shard.store(batch);
      Future<Void> first = shard.send(record("a", "slow/1"));
      slow.next().release();
      reached.await();
      Future<Void> second = shard.send(record("b", "slow/1"));
      HeldStep.Held enriching = slow.next();
      Future<Void> third = shard.send(record("c", "slow/1"));
      await(shard.send(record("d", "fast/1")));
      disk.fail(FULL);
      assertEquals(Refusal.Why.OVER_QUOTA, refusal(first).why());
      shard.persist = shard::store;
      enriching.release();
      refusal(second);
      refusal(third);
      Future<Void> again =
          shard.send(record("a", "slow/1"), record("b", "slow/1"), record("c", "slow/1"));
      HeldStep.Held neverSeen = slow.next();
      assertEquals(List.of("c"), neverSeen.records().stream().map(one -> one.id()).toList());
      neverSeen.release();
      await(again);
      assertEquals(List.of("d", "a", "b", "c"), shard.ids());
      assertTrue(slow.isIdle(), "enriched twice");
    }
  }

  private static boolean holds(Batch batch, String id, CountDownLatch reached) {
    boolean holds = batch.records().stream().anyMatch(record -> record.id().equals(id));
    if (holds) {
      reached.countDown();
    }
    return holds;
  }

  @Test
  void aBrokenStepRefusesWhatWaitsForItAndNothingElse() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow, late)) {
      Future<Void> other = shard.sendAlone(record("d", "late/1"));
      HeldStep.Held elsewhere = late.next();
      Future<Void> first = shard.send(record("a", "slow/1"));
      HeldStep.Held broken = slow.next();
      Future<Void> second = shard.send(record("b", "slow/1"));
      broken.breakOff();
      assertEquals(Refusal.Why.BAD_REQUEST, refusal(first).why());
      assertTrue(refusal(second).isTransient());
      elsewhere.release();
      await(other);
      Future<Void> again = shard.send(record("a", "slow/1"), record("b", "slow/1"));
      slow.next().release();
      await(again);
      assertEquals(List.of("d", "a", "b"), shard.ids());
    }
  }

  @Test
  void anIdIsStoredOnceForEachTopicThatHasIt() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow)) {
      Future<Void> both = shard.send(record("a", "slow/1"), record("a", "fast/1"));
      Future<Void> second = shard.send(record("a", "slow/1"), record("b", "fast/1"));
      HeldStep.Held held = slow.next();
      await(shard.send(record("a", "fast/1"), record("a", "fast/2")));
      assertFalse(both.isComplete() || second.isComplete());
      held.release();
      await(Future.all(both, second));
      assertEquals(List.of("a", "b", "a", "a"), shard.ids());
    }
  }

  @Test
  void aRefusalIsToldAtOnceAndTheRestIsWaitedForAtTheEnd() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow)) {
      shard.persist = batch -> Future.failedFuture(FULL);
      Future<Void> mixed = shard.send(record("a", "slow/1"), record("b", "fast/1"));
      HeldStep.Held held = slow.next();
      assertEquals(Refusal.Why.OVER_QUOTA, refusal(mixed).why());
      assertTrue(shard.pipeline.pendingBytes() > 0);
      Future<Void> drained = shard.drain();
      shard.persist = shard::store;
      assertFalse(drained.isComplete());
      held.release();
      await(drained);
      assertEquals(0, shard.pipeline.pendingBytes());
      assertEquals(List.of("a"), shard.ids());
      await(shard.send(record("a", "slow/1"), record("b", "fast/1")));
      assertEquals(List.of("a", "b"), shard.ids());
    }
  }

  @Test
  void strandsAreBoundedAndNoneIsMadeForAStepThatIsForEverything() {
    List<Scope> many =
        IntStream.range(0, 20).mapToObj(i -> new Scope(List.of("s/" + i, "all"))).toList();
    StrandOfTopic strandOf = new StrandOfTopic(many);
    assertEquals(256, strandOf.strands());
    assertEquals(255, strandOf.of("all"));
    assertEquals(128, strandOf.of("s/7"));
    assertEquals(128, strandOf.of("s/19"));
    assertEquals(0, strandOf.of("other"));
    assertEquals(1, new StrandOfTopic(List.of(new Scope(List.of("#")))).strands());
  }
}
