package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.refusal;
import static io.galop.enrich.StrandFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.StepTally;
import io.galop.record.DerivedId;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a shard has pending, where records become some of several owners. */
@Timeout(180)
class PendingTest {
  private static final int OWNERS = 2;
  private static final int FULL = 0;
  private static final int MAX_PENDING_BYTES = 2_000;

  /** Makes of each record one for each owner. */
  private static final class ForEachOwner implements Enricher {
    private final List<String> topics =
        IntStream.range(0, OWNERS).mapToObj(ForEachOwner::topicOf).toList();

    private static String topicOf(int owner) {
      return IntStream.iterate(0, n -> n + 1)
          .mapToObj(n -> "t/" + n)
          .filter(topic -> Topic.shard(topic, OWNERS) == owner)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
      List<Record> derived = new ArrayList<>();
      for (Record each : records) {
        for (int owner = 0; owner < OWNERS; owner++) {
          String topic = topics.get(owner);
          derived.add(record(DerivedId.of(each, owner + 1, topic), topic));
        }
      }
      return Future.succeededFuture(derived);
    }
  }

  @Test
  void whatOneOwnerDoesNotAnswerStaysPendingThoughAnotherRefusesTheRest() throws Exception {
    Refusal overQuota = new Refusal(Refusal.Why.OVER_QUOTA, "the disk is full");
    Promise<Void> frozen = Promise.promise();
    try (StrandFixture shard = new StrandFixture(OWNERS, MAX_PENDING_BYTES, new ForEachOwner())) {
      shard.persist =
          batch -> batch.shard() == FULL ? Future.failedFuture(overQuota) : frozen.future();
      List<Refusal.Why> answers = new ArrayList<>();
      for (int n = 0; n < 100; n++) {
        answers.add(refusal(shard.give(record("r" + n, "raw"))).why());
        long pending = shard.pipeline.pendingBytes();
        assertTrue(pending > 0 && pending <= MAX_PENDING_BYTES, "pending " + pending);
      }
      assertEquals(Refusal.Why.OVER_QUOTA, answers.get(0), "told at once");
      assertEquals(Refusal.Why.BUSY, answers.get(99), "what is under way has no bound");
      Future<Void> drained = shard.drain();
      assertFalse(drained.isComplete());
      frozen.complete();
      await(drained);
      assertEquals(0, shard.pipeline.pendingBytes());
      shard.persist = shard::store;
      await(shard.give(record("r0", "raw"), record("r99", "raw")));
      assertEquals(4, shard.stored.size());
    }
  }
}
