package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static io.vertx.core.Future.succeededFuture;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Bus;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.bus.Seal;
import io.galop.bus.Sealed;
import io.galop.config.Role;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shard changes hands between two nodes. */
@Tag("slow")
@Timeout(180)
class HandoverTest extends PersistNodesTest {
  private static final int SHARDS = 4;
  private int count;

  HandoverTest() {
    super(SHARDS);
  }

  private TestNode join(String name) throws Exception {
    return join(name + ++count, name);
  }

  /** The shard that "two" owns of those two, before "two" is there. */
  private int shardOfTwo() {
    TestCluster both = new TestCluster(SHARDS);
    both.join("a", "one", Role.PERSIST);
    return shardOf(both.join("b", "two", Role.PERSIST));
  }

  @Test
  void aPlannedMoveLosesNothingAndKeepsTheTail() throws Exception {
    TestNode one = join("one");
    int shard = shardOfTwo();
    one.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 0, 1000)));
    Position half = fetch(one, Position.none(shard)).records().get(499).position();
    TestNode two = join("two");
    two.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 999, 1001)));
    Page rest = fetch(one, half);
    assertTrue(rest.complete());
    assertEquals(numbers(500, 1001), ids(rest));
    assertEquals(1, two.meters.get("galop.persist.records").counter().count());
    assertEquals(1, two.meters.get("galop.persist.duplicates").counter().count());
    Page latest = await(one.bus().feed().latest(new Ask(shard, half, "", 1000)));
    assertEquals(List.of("t-1000"), ids(latest));
  }

  /** Members are told one after the other that a node may own something, and it asks at once. */
  @Test
  void whoIsToldLateThatANodeMayOwnDoesNotTakeTheShardBack() throws Exception {
    TestNode one = join("one");
    int shard = shardOfTwo();
    one.awaitReady();
    double epochs = one.meters.get("galop.persist.epochs").counter().count();
    cluster.takesForOpening("one1", "two2", false);
    TestNode two = join("two");
    two.awaitReady();
    cluster.announce();
    await(two.bus().persist().send(batch(shard, "t", 0, 10)));
    await(one.bus().persist().send(batch(shard, "t", 10, 20)));
    assertEquals(20, two.meters.get("galop.persist.records").counter().count());
    assertEquals(epochs, one.meters.get("galop.persist.epochs").counter().count());
  }

  @Test
  void aShardGoesToNobodyWhoMayNotOwnItAsThisNodeSeesIt() throws Exception {
    TestNode one = join("one");
    int shard = shardOfTwo();
    one.awaitReady();
    cluster.takesForOpening("one1", "two", true);
    Bus two = Bus.open(vertx, cluster.join("two", "two", Role.PERSIST), config("two").cluster());
    Seal seal = new Seal(shard, "two");
    ExecutionException refused =
        assertThrows(ExecutionException.class, () -> await(two.handover().seal("one1", seal)));
    assertEquals(Refusal.Why.NOT_MEMBER, Refusal.of(refused.getCause()).why());
    await(one.bus().persist().send(batch(shard, "t", 0, 10)));
    cluster.tell("one1");
    assertTrue(await(two.handover().seal("one1", seal)).held());
  }

  @Test
  void aMoveUnderLoadLosesNothingAndAFollowerMissesNothing() throws Exception {
    TestNode one = join("one");
    int shard = shardOfTwo();
    one.awaitReady();
    TestFollower follower = new TestFollower(vertx, one.bus(), shard);
    follower.keepFollowing();
    List<Future<Void>> sent = new ArrayList<>();
    for (int i = 0; i < 2_000 || !isTakenByTwo(); i++) {
      sent.add(one.bus().persist().send(batch(shard, "t", 10 * i, 10 * i + 10)));
      if (i == 500) {
        join("two");
      }
      if (i % 20 == 0) {
        Thread.sleep(1);
      }
    }
    for (Future<Void> future : sent) {
      await(future);
    }
    running.get(1).awaitReady();
    int all = 10 * sent.size();
    until(() -> follower.seen().size() >= all);
    assertEquals(all, follower.ids().stream().distinct().count());
    List<Position> order = follower.seen().stream().map(Placed::position).toList();
    assertEquals(order.stream().sorted().toList(), order);
    assertEquals(all, order.size(), "nothing twice");
    assertEquals(0, follower.gaps());
  }

  private boolean isTakenByTwo() {
    return running.size() > 1
        && running.get(1).meters.find("galop.persist.records").counters().stream()
            .anyMatch(placed -> placed.count() > 0);
  }

  @Test
  void afterACrashTheNextOwnerSaysThatSomethingMayBeMissing() throws Exception {
    int shard = shardOfTwo();
    TestNode one = join("one");
    one.awaitReady();
    TestNode two = join("two");
    two.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 0, 10)));
    Position seen = fetch(one, Position.none(shard)).upTo();
    kill(two);
    until(() -> one.node.readiness().isReady() && one.bus().cluster().owns(Role.PERSIST, shard));
    await(one.bus().persist().send(batch(shard, "t", 10, 12)));
    Page page = fetch(one, seen);
    assertFalse(page.complete());
    assertEquals(numbers(10, 12), ids(page));

    TestNode again = join("two");
    again.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 12, 13)));
    Page after = fetch(one, page.upTo());
    assertTrue(after.complete());
    assertEquals(numbers(12, 13), ids(after));
    assertFalse(fetch(one, seen).complete(), "what came between is known to nobody there");
  }

  @Test
  void anOwnerThatIsRestartedKnowsThatNobodyElseWasThere() throws Exception {
    TestNode one = join("one");
    one.awaitReady();
    await(one.bus().persist().send(batch(2, "t", 0, 10)));
    Position seen = fetch(one, Position.none(2)).records().get(4).position();
    kill(one);
    TestNode again = join("one");
    again.awaitReady();
    await(again.bus().persist().send(batch(2, "t", 10, 11)));
    Page page = fetch(again, seen);
    assertTrue(page.complete());
    assertEquals(numbers(5, 11), ids(page));
  }

  @Test
  void doubtAboutWhatCameBeforeOutlivesARestart() throws Exception {
    int shard = shardOfTwo();
    TestNode one = join("one");
    one.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 0, 3)));
    Position before = fetch(one, Position.none(shard)).upTo();
    TestNode two = join("two");
    two.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 3, 6)));
    kill(two);
    until(() -> one.meters.get("galop.persist.epochs").counter().count() > SHARDS);
    one.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 6, 7)));
    assertFalse(fetch(one, before).complete());
    kill(one);
    TestNode again = join("one");
    again.awaitReady();
    Page page = fetch(again, before);
    assertFalse(page.complete(), "t-3 to t-5 are in the other node's Log only");
    Page latest = await(again.bus().feed().latest(new Ask(shard, before, "", 1000)));
    assertEquals(List.of("t-6"), ids(latest));
  }

  @Test
  void whoFollowsIsSentToTheNewOwner() throws Exception {
    TestNode one = join("one");
    one.awaitReady();
    int shard = shardOfTwo();
    TestFollower follower = new TestFollower(vertx, one.bus(), shard);
    Followed followed = follower.follow(Position.none(shard));
    assertTrue(followed.complete());
    await(one.bus().persist().send(batch(shard, "t", 0, 1)));
    until(() -> follower.seen().size() == 1);
    TestNode two = join("two");
    two.awaitReady();
    until(() -> follower.refusals() > 0);
    assertEquals(shardOf(two), shard);
    assertTrue(follower.follow(follower.lastSeen()).complete());
    await(one.bus().persist().send(batch(shard, "t", 1, 2)));
    until(() -> follower.ids().equals(numbers(0, 2)));
  }

  /** Two nodes are there, and the first has placed ten records; the Position of the last. */
  private Position placedByOneOfTwo() throws Exception {
    TestNode one = join("one");
    TestNode two = join("two");
    one.awaitReady();
    two.awaitReady();
    int shard = shardOf(one);
    await(one.bus().persist().send(batch(shard, "t", 0, 10)));
    return fetch(one, Position.none(shard)).upTo();
  }

  /** Node one has stored beside "two", and starts again where two says that it has nothing. */
  private Page resumedBesideAnEmptyNode(boolean isSameLog) throws Exception {
    Position seen = placedByOneOfTwo();
    TestNode one = running.get(0);
    TestNode two = running.get(1);
    int shard = seen.shard();
    long log = two.storage.log().id();
    until(() -> one.storage.isLogReplaced(shard, "two", log + 1));
    until(() -> Files.exists(directory.resolve("one").resolve("storing-logs")));
    until(() -> one.storage.storingNodes().has(Set.of("one", "two")));
    kill(two);
    kill(one);
    Bus empty = Bus.open(vertx, view("two9", "two"), config("two").cluster());
    Sealed nothing =
        new Sealed(false, Position.none(shard), 0, isSameLog ? log : log + 1, false, false);
    await(empty.handover().onSeal(shard, seal -> succeededFuture(nothing)).completion());
    join("one");
    return TestNode.ask(() -> running.get(0).bus().feed().fetch(new Ask(shard, seen, "", 1 << 20)));
  }

  /** Whatever two placed while one was down may be on the disk that it has lost. */
  @Test
  void whoMissesTheLogOfAnotherDoesNotCallAResumeComplete() throws Exception {
    assertFalse(resumedBesideAnEmptyNode(false).complete());
  }

  @Test
  void whoFindsTheLogOfAnotherCallsAResumeComplete() throws Exception {
    assertTrue(resumedBesideAnEmptyNode(true).complete());
  }

  /** "two" may have owned everything while "one" was down, and is not there to be asked. */
  @Test
  void whoMissesAnotherThatStoredDoesNotCallAResumeComplete() throws Exception {
    Position seen = placedByOneOfTwo();
    TestNode one = running.get(0);
    TestNode two = running.get(1);
    until(() -> one.storage.storingNodes().has(Set.of("one", "two")));
    kill(two);
    kill(one);
    TestNode again = join("one");
    again.awaitReady();
    assertFalse(fetch(again, seen).complete());
  }
}
