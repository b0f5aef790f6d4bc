package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.bus.Followed;
import io.galop.bus.HistoryQuery;
import io.galop.bus.Seal;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.node.Readiness;
import io.galop.persist.log.Log;
import io.galop.record.Position;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node has epochs that the next owner of the shard does not know, as when its clock was ahead and
 * made them: the owner's grow beyond them, and nothing that came before is called complete.
 */
@Timeout(180)
class StrangeEpochsTest extends PersistNodesTest {
  private static final int SHARDS = 8;

  /** Of a time that no clock shows for a while. */
  private static final long AHEAD = 1L << 50;

  StrangeEpochsTest() {
    super(SHARDS);
  }

  /** The disk has a large epoch of each shard, without a record in it. */
  private void aheadOnDisk(String disk, String... settings) throws Exception {
    GalopConfig config = config(disk, settings);
    try (Log log =
        Log.open(
            directory.resolve(disk).resolve("log"),
            config.persist().log(),
            SHARDS,
            new SimpleMeterRegistry(),
            new Readiness())) {
      for (int shard = 0; shard < SHARDS; shard++) {
        await(log.beginEpoch(shard, AHEAD + shard, Position.none(shard)));
      }
    }
  }

  @Test
  void anOwnerGoesBeyondWhatABroadcastNodeHasSeen() throws Exception {
    aheadOnDisk("one");
    TestNode one = join("1", "one");
    one.awaitReady();
    Bus front = Bus.open(vertx, cluster.join("f", "f", Role.BROADCAST), config("f").cluster());
    TestNode two = join("2", "two");
    two.awaitReady();
    int shard = shardOf(one);
    await(front.persist().send(batch(shard, "t", 0, 10)));
    Position seen = fetch(two, Position.none(shard)).upTo();
    assertTrue(seen.epoch() > AHEAD);

    // Of the two, two has never owned this shard, and its disk does not know the large epochs.
    kill(one);
    two = afresh(two);
    awaitOwner(two, shard);
    await(front.persist().send(batch(shard, "t", 10, 20)));
    TestFollower follower = new TestFollower(vertx, front, shard);
    AtomicReference<Followed> followed = new AtomicReference<>();
    until(() -> tryToFollow(follower, seen, followed));
    assertFalse(followed.get().complete(), "nobody knows what came after it");
    awaitOwner(two, shard);
    assertTrue(epoch(two, shard) > seen.epoch());
    follower.follow(Position.none(shard));
    await(front.persist().send(batch(shard, "t", 20, 21)));
    until(() -> follower.lastSeen().epoch() > seen.epoch());
    assertFalse(fetch(two, seen).complete());
  }

  /** The same name with an empty disk. */
  private TestNode afresh(TestNode node) throws Exception {
    lose(node);
    return joined(TestNode.start(vertx, view("3", "two"), config("empty")));
  }

  private static boolean tryToFollow(
      TestFollower follower, Position since, AtomicReference<Followed> followed) {
    try {
      followed.set(follower.follow(since));
      return true;
    } catch (Exception refused) {
      return false;
    }
  }

  @Test
  void anOwnerGoesBeyondWhatAnotherHasOnDiskWithoutARecord() throws Exception {
    aheadOnDisk("one");
    TestNode one = join("1", "one");
    one.awaitReady();
    TestNode two = join("2", "two");
    one.awaitReady();
    two.awaitReady();
    int shard = shardOf(two);
    until(() -> epoch(two, shard) > AHEAD);
    assertEquals(0, fetch(one, Position.none(shard)).records().size());
  }

  private static long epoch(TestNode owner, int shard) {
    return owner.storage.memory(shard).epochs().newest();
  }

  /** What it has would be taken for newer than each record that comes to it, and none be kept. */
  @Test
  void whatIsAcknowledgedIsOnASecondDiskThatHadALargerEpoch() throws Exception {
    String[] copying = {
      "persist.ack=replica", "cluster.members=[127.0.0.1:1]", "cluster.deadlineMs=5000"
    };
    TestNode one = join("1", "one", copying);
    one.awaitReady();
    aheadOnDisk("two", copying);
    // It has these epochs from when it was alone, and is not asked for them.
    TestNode two = join("2", "two", copying);
    one.awaitReady();
    two.awaitReady();
    int shard = shardOf(one);
    await(two.bus().persist().send(batch(shard, "t", 0, 10)));
    lose(one);
    awaitOwner(two, shard);
    HistoryQuery all = new HistoryQuery("#", Long.MIN_VALUE, Long.MAX_VALUE, 1_000, false, "");
    assertEquals(numbers(0, 10), ids(await(two.bus().history().query("2", all))));
  }

  @Test
  void aSealTellsOfTheLargestEpochThatWasSeen() throws Exception {
    aheadOnDisk("one");
    TestNode one = join("1", "one");
    one.awaitReady();
    Bus two = Bus.open(vertx, cluster.join("2", "two", Role.PERSIST), config("two").cluster());
    assertTrue(await(two.handover().seal("1", new Seal(0, "2"))).newestEpoch() > AHEAD);
  }
}
