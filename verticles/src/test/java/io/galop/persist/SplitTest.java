package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Page;
import io.galop.config.Role;
import io.galop.record.Position;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An owner goes, or is away for a while: nothing that it or who stood in for it has is lost. */
@Tag("slow")
@Timeout(180)
class SplitTest extends PersistNodesTest {
  private static final int SHARDS = 4;
  private TestNode one;
  private TestNode two;
  private int shard;

  SplitTest() {
    super(SHARDS);
  }

  @BeforeEach
  void open() throws Exception {
    one = join("1", "one");
    two = join("2", "two");
    one.awaitReady();
    two.awaitReady();
    shard = shardOf(two);
  }

  private static double epochs(TestNode node) {
    return node.meters.get("galop.persist.epochs").counter().count();
  }

  /** Waits until the owner that a node sees has all of them in newer epochs, which it returns. */
  private static Map<Integer, Long> awaitNewer(TestNode by, Map<Integer, Long> epochs)
      throws Exception {
    Map<Integer, Long> newer = new HashMap<>();
    for (int each : epochs.keySet()) {
      until(() -> epoch(by, each) > epochs.get(each));
      newer.put(each, epoch(by, each));
    }
    return newer;
  }

  /** 0 while nobody has the shard. */
  private static long epoch(TestNode by, int shard) {
    try {
      return fetch(by, Position.none(shard)).upTo().epoch();
    } catch (Exception notYet) {
      return 0;
    }
  }

  private Set<String> latestIds(TestNode by) throws Exception {
    return Set.copyOf(ids(latest(by, shard)));
  }

  /** All shards change hands after a split, one sooner than the other; then none does any more. */
  private static void awaitSettled(TestNode node) throws InterruptedException {
    double before = -1;
    double now = epochs(node);
    for (int round = 0; round < 8 && before != now; round++) {
      Thread.sleep(2_500);
      before = now;
      now = epochs(node);
    }
    assertEquals(before, now, "it is settled who owns the shards");
  }

  @Test
  void anOwnerThatWasCutOffTakesOverWhatTheOtherStored() throws Exception {
    final Map<Integer, Long> whole = new HashMap<>();
    IntStream.range(0, SHARDS)
        .filter(each -> two.bus().cluster().owns(Role.PERSIST, each))
        .forEach(each -> whole.put(each, epoch(two, each)));
    await(two.bus().persist().send(batch(shard, "t", 0, 10)));
    await(two.bus().persist().send(batch(shard, "quiet", 0, 1)));
    cluster.cutOff("2");
    cluster.announce();
    final Map<Integer, Long> apart = awaitNewer(one, whole);
    await(one.bus().persist().send(batch(shard, "t", 10, 20)));
    await(two.bus().persist().send(batch(shard, "u", 0, 2)));
    Position seen = fetch(one, Position.none(shard)).upTo();

    cluster.reunite();
    cluster.announce();
    awaitNewer(one, apart);
    assertEquals(Set.of("t-19", "u-1", "quiet-0"), latestIds(one));
    assertFalse(fetch(one, seen).complete(), "u-0 and u-1 were placed beside it");
    await(one.bus().persist().send(batch(shard, "t", 8, 21)));
    assertEquals(12, two.meters.get("galop.persist.duplicates").counter().count());
    assertEquals(Set.of("t-20", "u-1", "quiet-0"), latestIds(one));
    awaitSettled(two);
  }

  @Test
  void anOwnerThatComesBackKeepsWhatItsOwnLogHas() throws Exception {
    await(two.bus().persist().send(batch(shard, "quiet", 0, 5)));
    kill(two);
    awaitOwner(one, shard);
    await(one.bus().persist().send(batch(shard, "t", 0, 3)));
    Position seen = fetch(one, Position.none(shard)).upTo();

    two = join("3", "two");
    two.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 2, 4)));
    assertEquals(Set.of("quiet-4", "t-3"), latestIds(one));
    Page missed = fetch(one, seen);
    assertTrue(missed.complete());
    assertEquals(1, missed.records().size());
  }

  @Test
  void aNodeThatStopsInOrderHandsItsShardsOver() throws Exception {
    await(one.bus().persist().send(batch(shard, "quiet", 0, 1)));
    await(one.bus().persist().send(batch(shard, "t", 0, 10)));
    Position half = fetch(one, Position.none(shard)).records().get(5).position();
    two.stop();
    running.remove(two);
    double before = epochs(one);
    cluster.leave("2");
    cluster.announce();
    awaitOwner(one, shard);
    await(one.bus().persist().send(batch(shard, "t", 9, 11)));
    Page rest = fetch(one, half);
    assertTrue(rest.complete());
    assertEquals(6, rest.records().size());
    assertEquals(Set.of("quiet-0", "t-10"), latestIds(one));
    assertEquals(before, epochs(one), "taken once");
  }

  /** The rightful owner began an epoch apart, after the one in which the other stood in for it. */
  @Test
  void anOwnerThatStartedApartLearnsWhatTheOtherStored() throws Exception {
    await(two.bus().persist().send(batch(shard, "quiet", 0, 1)));
    await(two.bus().persist().send(batch(shard, "both", 0, 1)));
    cluster.cutOff("2");
    cluster.announce();
    awaitOwner(one, shard);
    await(one.bus().persist().send(batch(shard, "t", 0, 3)));
    await(one.bus().persist().send(batch(shard, "both", 1, 2)));
    Position seen = fetch(one, Position.none(shard)).upTo();
    running.remove(two);
    two.stop();
    cluster.leave("2");
    cluster.cutOff("3");
    two = join("3", "two");
    two.awaitReady();
    await(two.bus().persist().send(batch(shard, "u", 0, 2)));

    cluster.reunite();
    cluster.announce();
    Set<String> all = Set.of("quiet-0", "t-2", "u-1", "both-1");
    until(() -> epochs(two) > SHARDS && two.node.readiness().isReady());
    two.awaitReady();
    assertEquals(all, latestIds(one));
    assertFalse(fetch(one, seen).complete(), "u-0 and u-1 were placed beside it");
    await(one.bus().persist().send(batch(shard, "t", 1, 4)));
    assertEquals(2, two.meters.get("galop.persist.duplicates").counter().count());
  }
}
