package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static io.galop.enrich.EnrichFixture.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.e2e.Await;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is acknowledged, and when, while the next stage takes its time or refuses. */
@Timeout(180)
class EnrichAckTest {
  @TempDir Path directory;

  @Test
  void aBatchIsAcknowledgedOnlyWhenEveryDerivedRecordIsStored() throws Exception {
    String source =
        "function enrich(r) { return [0,1,2,3,4,5,6,7].map(n => ({topic: 't/' + n, data: {n}})) }";
    try (EnrichFixture node = new EnrichFixture(EnrichFixture.scripted(directory, source))) {
      Promise<Void> last = Promise.promise();
      CountDownLatch held = new CountDownLatch(1);
      node.persist =
          batch -> {
            boolean holdsLast = batch.records().stream().anyMatch(r -> r.id().startsWith("a#8@"));
            if (holdsLast) {
              held.countDown();
            }
            return holdsLast ? last.future().compose(none -> node.store(batch)) : node.store(batch);
          };
      Future<Void> sent = node.send(record("a", "t", "{}"));
      held.await();
      Future<Void> other = node.send(record("b", "other", "{}"));
      assertFalse(sent.isComplete());
      last.complete();
      await(sent);
      await(other);
      assertEquals(16, node.stored.size());
    }
  }

  @Test
  void aBatchIsHandedOnThoughTheDiskHoldsTheOneBefore() throws Exception {
    try (EnrichFixture node = new EnrichFixture("")) {
      Promise<Void> disk = Promise.promise();
      CountDownLatch placed = new CountDownLatch(3);
      node.persist =
          batch -> {
            node.store(batch);
            batch.records().forEach(record -> placed.countDown());
            return disk.future();
          };
      Future<Void> first = node.send(record("a", "t", "{}"));
      Future<Void> second = node.send(record("b", "t", "{}"));
      Future<Void> third = node.send(record("c", "t", "{}"));
      assertTrue(placed.await(60, TimeUnit.SECONDS), "Batches wait for the disk");
      assertFalse(first.isComplete() || second.isComplete() || third.isComplete());
      disk.complete();
      await(Future.all(first, second, third));
    }
  }

  @Test
  void aSecondCopyWaitsForTheFirst() throws Exception {
    try (EnrichFixture node = new EnrichFixture(EnrichFixture.WINDOW)) {
      EnrichFixture.HeldDisk disk = node.holdDisk();
      Future<Void> first = node.send(record("a", "t", "{\"v\":1}"));
      disk.awaitReached();
      Future<Void> second = node.send(record("a", "t", "{\"v\":1}"));
      await(node.vertx.timer(100));
      assertFalse(second.isComplete(), "acknowledged before it was stored");
      disk.release();
      await(first);
      await(second);
      assertEquals(1, node.stored.size());
    }
  }

  @Test
  void whatCouldNotBeStoredIsSentAgainAsItWasEnriched() throws Exception {
    try (EnrichFixture node = new EnrichFixture(EnrichFixture.WINDOW)) {
      node.persist =
          batch -> Future.failedFuture(new Refusal(Refusal.Why.OVER_QUOTA, "the disk is full"));
      Record one = record("a", "t", "{\"v\":1}");
      assertEquals(Refusal.Why.OVER_QUOTA, refusal(node.send(one)).why());
      assertEquals(Refusal.Why.OVER_QUOTA, refusal(node.send(one)).why());
      node.persist = node::store;
      await(node.send(record("b", "t", "{\"v\":5}"), one));
      assertEquals(
          List.of(
              "a t {\"v\":1,\"w\":{\"count\":1,\"min\":1,\"max\":1,\"mean\":1}}",
              "b t {\"v\":5,\"w\":{\"count\":2,\"min\":1,\"max\":5,\"mean\":3,\"change\":4,"
                  + "\"changeTime\":1000000}}"),
          node.shown());
    }
  }

  @Test
  void moreThanMayBePendingIsRefusedUntilItIsStored() throws Exception {
    String small = "enrich: {maxPendingBytes: 65536}\ncluster: {deadlineMs: 1000}";
    try (EnrichFixture node = new EnrichFixture(small)) {
      EnrichFixture.HeldDisk disk = node.holdDisk();
      String large = "{\"v\":\"" + "x".repeat(60_000) + "\"}";
      Future<Void> first = node.send(record("a", "t", large));
      disk.awaitReached();
      Future<Void> second = node.send(record("b", "t", large));
      assertEquals(Refusal.Why.DEADLINE, refusal(second).why());
      assertTrue(node.count("galop.enrich.refused.busy") > 0);
      assertTrue(
          node.meters.get("galop.enrich.pending").gauges().stream().anyMatch(g -> g.value() > 0));
      disk.release();
      await(first);
      await(node.send(record("b", "t", large)));
      assertEquals(2, node.stored.size());
    }
  }

  @Test
  void itEndsWhenAllThatWasTakenIsStored() throws Exception {
    try (EnrichFixture node = new EnrichFixture("cluster: {deadlineMs: 1000}")) {
      EnrichFixture.HeldDisk disk = node.holdDisk();
      Future<Void> taken = node.send(record("a", "t", "{}"));
      disk.awaitReached();
      Future<Void> ended = node.undeploy();
      Await.until("both instances end", 120, () -> node.readiness.reasons().size() >= 2);
      assertEquals(Refusal.Why.DEADLINE, refusal(node.sendAlone(record("b", "t", "{}"))).why());
      assertFalse(ended.isComplete());
      disk.release();
      await(Future.all(taken, ended));
    }
  }
}
