package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.cluster.Cluster;
import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.persist.log.HeldDisk;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is acknowledged is on disk, and what is shown does not wait for it. */
@Tag("slow")
@Timeout(180)
class DurabilityTest {
  private static final int SHARD = 1;

  @TempDir Path directory;
  private final Cluster cluster = new LocalCluster("one", Set.of(Role.values()), 4);
  private Vertx vertx;
  private HeldDisk disk;
  private TestNode node;

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void close() throws Exception {
    disk.release();
    node.stop();
    await(vertx.close());
  }

  private void start(String... more) throws Exception {
    String[] sets = new String[more.length + 4];
    System.arraycopy(more, 0, sets, 4, more.length);
    sets[0] = "node.shards=4";
    sets[1] = "persist.cold.enabled=false";
    sets[2] = "cluster.deadlineMs=4000";
    sets[3] = "ingest.limits.maxDataBytes=4096";
    disk = new HeldDisk();
    node = TestNode.start(vertx, cluster, TestNode.config(directory, sets), disk);
    node.awaitReady();
  }

  private Future<Void> send(int from, int to) {
    return node.bus().persist().send(batch(SHARD, "t", from, to));
  }

  /** Sends something through the same event loop and waits for it: what was before has happened. */
  private Page fetch(Position since) throws Exception {
    return await(node.bus().feed().fetch(new Ask(SHARD, since, "", 1 << 20)));
  }

  @Test
  void shownAtOnceAndAcknowledgedWhenOnDisk() throws Exception {
    start();
    TestFollower follower = new TestFollower(vertx, node.bus(), SHARD);
    follower.follow(Position.none(SHARD));
    await(send(0, 1));
    disk.hold();
    Future<Void> first = send(1, 2);
    Future<Void> again = send(1, 2);
    until(() -> follower.ids().equals(List.of("t-0", "t-1")));
    until(() -> node.meters.get("galop.persist.duplicates").counter().count() == 1);
    fetch(Position.none(SHARD));
    assertFalse(first.isComplete(), "not on disk yet");
    assertFalse(again.isComplete(), "a repeated record waits for the first one's fsync");
    disk.release();
    await(first);
    await(again);
    assertEquals(List.of("t-0", "t-1"), follower.ids());
  }

  @Test
  void withAckMemoryNothingWaitsForTheDisk() throws Exception {
    start("persist.ack=memory");
    await(send(0, 1));
    disk.hold();
    await(send(1, 2));
    await(send(1, 2));
  }

  @Test
  void withAckMemoryWhatHasNoPlaceInMemoryIsRefused() throws Exception {
    start("persist.ack=memory", "persist.log.segmentBytes=65536", "persist.log.queueBytes=8192");
    Record large = new Record("large", "t", 1, new byte[60_000]);
    Future<Void> sent = node.bus().persist().send(Batch.unplaced(SHARD, List.of(large)));
    ExecutionException refused = assertThrows(ExecutionException.class, () -> await(sent));
    assertEquals(Why.BAD_REQUEST, ((Refusal) refused.getCause()).why());
    assertEquals(List.of(), fetch(Position.none(SHARD)).records());
  }

  @Test
  void afterAFailedAppendNothingIsAcknowledged() throws Exception {
    start();
    await(send(0, 1));
    disk.hold();
    Future<Void> lost = send(1, 2);
    until(() -> node.meters.get("galop.persist.records").counter().count() == 2);
    disk.lose();
    for (Future<Void> refused : List.of(lost, send(1, 2), send(2, 3), send(0, 1))) {
      ExecutionException e = assertThrows(ExecutionException.class, () -> await(refused));
      Refusal refusal = (Refusal) e.getCause();
      assertEquals(Why.DEADLINE, refusal.why());
      assertTrue(
          refusal.getMessage().contains("the Log could not be written"), refusal.getMessage());
    }
    assertFalse(node.node.readiness().isReady());
  }

  @Test
  void anOffsetThatWasShownButLostIsNotReused() throws Exception {
    start();
    await(send(0, 2));
    disk.hold();
    Future<Void> lost = send(2, 5);
    until(() -> node.meters.get("galop.persist.records").counter().count() == 5);
    Position shown = fetch(Position.none(SHARD)).upTo();
    assertEquals(5, shown.offset());
    disk.lose();
    assertThrows(ExecutionException.class, () -> await(lost));
    node.stop();

    start();
    await(send(2, 3));
    Page missed = fetch(shown);
    assertTrue(missed.complete());
    assertEquals(1, missed.records().size());
    assertEquals("t-2", missed.records().get(0).record().id());
    assertNotEquals(shown.epoch(), missed.upTo().epoch());
    assertEquals(3, fetch(Position.none(SHARD)).records().size(), "t-3 and t-4 are gone");
  }

  @Test
  void overQuotaIsRefusedAndNothingPlaced() throws Exception {
    start("persist.log.segmentBytes=65536", "persist.log.queueBytes=8192");
    disk.fill();
    Why why = null;
    int sent = 0;
    while (why == null && sent < 100_000) {
      try {
        await(send(sent, sent + 20));
        sent += 20;
      } catch (ExecutionException e) {
        why = ((Refusal) e.getCause()).why();
      }
    }
    assertEquals(Why.OVER_QUOTA, why);
    assertEquals(sent, (int) node.meters.get("galop.persist.records").counter().count());
  }

  @Test
  void whatTheLogHasNoRoomForIsPlacedAgainInANewEpoch() throws Exception {
    start(
        "persist.log.segmentBytes=65536",
        "persist.log.queueBytes=8192",
        "cluster.deadlineMs=20000");
    await(send(0, 1));
    long before = fetch(Position.none(SHARD)).upTo().epoch();
    disk.hold();
    Future<Void> beingWritten = send(1, 20);
    Future<Void> waiting = send(20, 40);
    Future<Void> tooMuch = send(40, 640);
    until(() -> node.meters.get("galop.persist.records").counter().count() == 640);
    disk.release();
    await(Future.all(beingWritten, waiting, tooMuch));
    Page all = fetch(Position.none(SHARD));
    assertTrue(all.upTo().epoch() > before);
    assertEquals(640, all.records().size());
    assertEquals(
        640, all.records().stream().map(placed -> placed.record().id()).distinct().count());
  }

  @Test
  void whatTheLogHasNoRoomForIsNoLatestValue() throws Exception {
    start(
        "persist.log.segmentBytes=65536",
        "persist.log.queueBytes=8192",
        "cluster.deadlineMs=20000");
    await(send(0, 1));
    disk.hold();
    Future<Void> beingWritten = send(1, 20);
    Future<Void> waiting = send(20, 40);
    Future<Void> tooMuch = send(40, 640);
    until(() -> node.meters.get("galop.persist.records").counter().count() == 640);
    Ask ask = new Ask(SHARD, Position.none(SHARD), "", 1 << 20);
    Page latest = await(node.bus().handover().topics(cluster.self().id(), ask));
    assertEquals("t-39", latest.records().get(0).record().id());
    disk.release();
    await(Future.all(beingWritten, waiting, tooMuch));
    latest = await(node.bus().feed().latest(ask));
    assertEquals("t-639", latest.records().get(0).record().id());
  }

  @Test
  void aRecordThatNoSegmentTakesIsRefusedAndNotShown() throws Exception {
    start("persist.log.segmentBytes=65536", "persist.log.queueBytes=8192");
    Record large = new Record("large", "t", 0, new byte[20_000]);
    ExecutionException e =
        assertThrows(
            ExecutionException.class,
            () -> await(node.bus().persist().send(Batch.unplaced(SHARD, List.of(large)))));
    assertEquals(Why.BAD_REQUEST, ((Refusal) e.getCause()).why());
    await(send(0, 1));
    assertEquals(1, fetch(Position.none(SHARD)).upTo().offset());
  }
}
