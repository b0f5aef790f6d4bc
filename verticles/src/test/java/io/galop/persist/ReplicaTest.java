package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.persist.log.HeldDisk;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code persist.ack: replica}: what was acknowledged outlives the disk of its owner. */
@Tag("slow")
@Timeout(180)
class ReplicaTest extends PersistNodesTest {
  private static final int SHARDS = 2;

  ReplicaTest() {
    super(SHARDS);
  }

  private GalopConfig copying(String disk) {
    return config(
        disk, "persist.ack=replica", "cluster.members=[127.0.0.1:1]", "cluster.deadlineMs=2000");
  }

  /** A node that has the given disk. */
  private TestNode joinWith(String id, String name, String disk) throws Exception {
    return joined(TestNode.start(vertx, view(id, name), copying(disk)));
  }

  @Test
  void theSecondNodeHasAllThatWasAcknowledgedWhenTheFirstIsGone() throws Exception {
    TestNode one = joinWith("1", "one", "one");
    TestNode two = joinWith("2", "two", "two");
    one.awaitReady();
    two.awaitReady();
    int shard = shardOf(two);
    await(one.bus().persist().send(batch(shard, "t", 0, 100)));
    await(one.bus().persist().send(batch(shard, "t", 100, 150)));
    Position seen = fetch(one, Position.none(shard)).records().get(99).position();

    lose(two);
    awaitOwner(one, shard);
    assertEquals(numbers(0, 150), ids(fetch(one, Position.none(shard))));
    Page resumed = fetch(one, seen);
    assertTrue(resumed.complete(), "a browser that saw the first hundred misses nothing");
    assertEquals(50, resumed.records().size());
  }

  @Test
  void aCopyIsAcknowledgedOnlyFromTheSecondDisk() throws Exception {
    HeldDisk disk = new HeldDisk();
    TestNode one = joined(TestNode.start(vertx, view("1", "one"), copying("one"), disk));
    TestNode two = joinWith("2", "two", "two");
    one.awaitReady();
    two.awaitReady();
    int shard = shardOf(two);
    await(two.bus().persist().send(batch(shard, "t", 0, 1)));
    disk.hold();
    Future<Void> sent = two.bus().persist().send(batch(shard, "t", 1, 2));
    until(() -> ids(fetched(two, shard)).size() == 2);
    Thread.sleep(300);
    assertFalse(sent.isComplete(), "the second disk has not taken it");
    assertEquals(1, copiesWaiting(two));
    disk.release();
    await(sent);
    assertEquals(0, copiesWaiting(two));
  }

  /** Its disk is gone, its process is not: the third node keeps the copy. */
  @Test
  void aNodeWhoseLogHasFailedIsNoSecondCopy() throws Exception {
    Map<String, HeldDisk> disks = new HashMap<>();
    Map<String, TestNode> nodes = new HashMap<>();
    for (String name : List.of("one", "two", "three")) {
      disks.put(name, new HeldDisk());
      Cluster view = view(name, name);
      nodes.put(name, joined(TestNode.start(vertx, view, copying(name), disks.get(name))));
    }
    for (TestNode node : nodes.values()) {
      node.awaitReady();
    }
    Cluster cluster = nodes.get("one").bus().cluster();
    Member owner = new Others(cluster, cluster.members()).owner(Role.PERSIST, 0).orElseThrow();
    List<Member> others = cluster.members().stream().filter(m -> !m.equals(owner)).toList();
    Member second = new Others(cluster, others).owner(Role.PERSIST, 0).orElseThrow();
    TestNode sender = nodes.get(owner.name());
    await(sender.bus().persist().send(batch(0, "t", 0, 1)));
    disks.get(second.name()).lose();
    await(sender.bus().persist().send(batch(0, "t", 1, 50)));
    assertEquals(numbers(0, 50), ids(fetch(sender, Position.none(0))));
  }

  private static double copiesWaiting(TestNode node) {
    return node.meters.get("galop.persist.copies.waiting").gauges().stream()
        .mapToDouble(gauge -> gauge.value())
        .sum();
  }

  private static Page fetched(TestNode by, int shard) {
    try {
      return fetch(by, Position.none(shard));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nothingIsAcknowledgedWithoutASecondNode() throws Exception {
    TestNode one = joinWith("1", "one", "one");
    one.awaitReady();
    ExecutionException failed =
        assertThrows(
            ExecutionException.class, () -> await(one.bus().persist().send(batch(0, "t", 0, 1))));
    Refusal refusal = (Refusal) failed.getCause();
    assertEquals(Refusal.Why.DEADLINE, refusal.why());
    assertTrue(refusal.getMessage().contains("no second node"), refusal.getMessage());
    assertEquals(List.of(), ids(fetch(one, Position.none(0))));
  }

  @Test
  void aNodeWithAnEmptyDiskGetsTheWholeCopy() throws Exception {
    TestNode one = joinWith("1", "one", "one");
    TestNode two = joinWith("2", "two", "two");
    one.awaitReady();
    two.awaitReady();
    int shard = shardOf(two);
    await(two.bus().persist().send(batch(shard, "t", 0, 100)));

    lose(one);
    TestNode again = joinWith("3", "one", "empty");
    again.awaitReady();
    await(two.bus().persist().send(batch(shard, "t", 100, 101)));
    lose(two);
    awaitOwner(again, shard);
    assertEquals(numbers(0, 101), ids(fetch(again, Position.none(shard))));

    TestNode third = joinWith("4", "two", "third");
    third.awaitReady();
    await(third.bus().persist().send(batch(shard, "t", 101, 102)));
    assertEquals(numbers(0, 102), ids(fetch(third, Position.none(shard))));
  }

  /** A second node that keeps nothing must not make the owner keep ever more that waits for it. */
  @Test
  void whatWaitsForItsCopyIsBounded() throws Exception {
    TestNode one = joinWith("1", "one", "one");
    joinWith("2", "two", "two");
    Promise<Void> done = Promise.promise();
    vertx.runOnContext(
        now -> {
          fill(new Replication(one.node, 0, new Durability(Position.none(0))));
          done.complete();
        });
    await(done.future());
  }

  private static void fill(Replication replication) {
    assertTrue(replication.refusal().isEmpty());
    long last = 0;
    while (replication.refusal().isEmpty() && last < 1_000_000) {
      Future<Void> copied = replication.copied(new Position(0, 7, ++last));
      assertTrue(copied == replication.copied(new Position(0, 7, last)), "sent again: once");
    }
    assertEquals(Refusal.Why.BUSY, replication.refusal().orElseThrow().why());
  }
}
