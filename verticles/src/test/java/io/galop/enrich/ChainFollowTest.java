package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.refusal;
import static io.galop.enrich.StrandFixture.chain;
import static io.galop.enrich.StrandFixture.on;
import static io.galop.enrich.StrandFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.config.enrich.DropConfig;
import io.galop.config.enrich.EnricherConfig;
import io.galop.config.enrich.NoopConfig;
import io.galop.enrich.StrandFixture.HeldStep;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shard that goes on with another chain while it works. */
@Timeout(180)
class ChainFollowTest {
  private static final Refusal FULL = new Refusal(Refusal.Why.OVER_QUOTA, "the disk is full");
  private final HeldStep slow = new HeldStep("slow/#");
  private final HeldStep late = new HeldStep("late/#");

  private Future<Void> follow(StrandFixture shard, Chain next) throws Exception {
    Promise<Void> followed = Promise.promise();
    on(
        shard.loop,
        () -> {
          shard.pipeline.follow(next).onComplete(followed);
          return Future.succeededFuture();
        });
    return followed.future();
  }

  /** Whoever gives up a chain closes its steps, which must not start after that. */
  @Test
  void aStartEndsWhenNoStepIsStarting() {
    Promise<Void> slowStart = Promise.promise();
    Enricher broken = new StartingStep(Future.failedFuture("no"));
    Enricher starting = new StartingStep(slowStart.future());
    Future<Void> started = chain(broken, starting).start();
    assertFalse(started.isComplete());
    slowStart.complete();
    assertTrue(started.failed());
  }

  private record StartingStep(Future<Void> start) implements Enricher {
    @Override
    public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
      return Future.succeededFuture(records);
    }
  }

  @Test
  void whatIsBeingEnrichedEndsInTheChainBeforeAndTheRestIsSentAgain() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow)) {
      Future<Void> first = shard.send(record("a", "slow/1"));
      HeldStep.Held held = slow.next();
      Future<Void> followed = follow(shard, chain(late));
      assertEquals(Refusal.Why.NOT_READY, refusal(shard.give(record("x", "fast/1"))).why());
      Future<Void> second = shard.send(record("b", "slow/1"));
      assertFalse(followed.isComplete());
      held.release();
      await(followed);
      await(first);
      await(second);
      assertTrue(slow.isIdle(), "the chain before is still in use");
      Future<Void> third = shard.send(record("c", "late/1"));
      late.next().release();
      await(third);
      assertEquals(List.of("a", "b", "c"), shard.ids());
    }
  }

  @Test
  void nothingWaitsWhereNothingIsBeingEnriched() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow)) {
      await(shard.send(record("a", "fast/1")));
      assertTrue(follow(shard, chain(late)).succeeded());
    }
  }

  /** Else what is sent again would come behind it, and an older value stand as the newest. */
  @Test
  void whatWasNotStoredAfterTheChainBeforeHoldsBackWhatIsBehindIt() throws Exception {
    try (StrandFixture shard = new StrandFixture(slow)) {
      Promise<Void> disk = Promise.promise();
      CountDownLatch reached = new CountDownLatch(1);
      shard.persist =
          batch -> {
            reached.countDown();
            return disk.future();
          };
      Future<Void> first = shard.send(record("a", "late/1"));
      reached.await();
      await(follow(shard, chain(late)));
      Future<Void> second = shard.send(record("b", "late/1"));
      HeldStep.Held held = late.next();
      disk.fail(FULL);
      assertEquals(Refusal.Why.OVER_QUOTA, refusal(first).why());
      shard.persist = shard::store;
      held.release();
      refusal(second);
      Future<Void> again = shard.send(record("a", "late/1"), record("b", "late/1"));
      await(again);
      assertEquals(List.of("a", "b"), shard.ids());
    }
  }

  @Test
  void stepsOfTheSameConfigurationGoOnAsTheyAre() {
    EnricherConfig noop = new NoopConfig(List.of("#"));
    EnricherConfig drop = new DropConfig(List.of("a/#"), "", "");
    List<Enricher> made = new ArrayList<>();
    Chain before = new Chain(List.of(new Chain.Step(noop, slow), new Chain.Step(noop, late)));
    Chain next =
        before.next(
            List.of(noop, drop),
            config -> {
              assertSame(drop, config);
              made.add(new HeldStep("a/#"));
              return made.get(0);
            });
    assertEquals(List.of(slow.lateScope().orElseThrow()), first(next.lateScopes()));
    assertEquals(1, made.size());
    assertEquals(1, before.without(next).lateScopes().size());
    assertEquals(late.lateScope().orElseThrow(), before.without(next).lateScopes().get(0));
    assertEquals(made.get(0).lateScope(), next.without(before).lateScopes().stream().findFirst());
  }

  private static <T> List<T> first(List<T> all) {
    return all.subList(0, 1);
  }
}
