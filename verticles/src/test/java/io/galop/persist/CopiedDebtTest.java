package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.bus.Begun;
import io.galop.bus.Bus;
import io.galop.bus.Replicate;
import io.galop.cluster.Cluster;
import io.galop.config.Role;
import io.galop.persist.ownership.EpochLog;
import io.galop.persist.ownership.Past;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that owes what it placed apart keeps the second copy of an owner that has not heard. */
@Tag("slow")
@Timeout(180)
class CopiedDebtTest extends PersistNodesTest {
  private static final int SHARDS = 8;
  private static final long OTHERS_EPOCH = (8L << 32) + 2;
  private final Set<Integer> offered = ConcurrentHashMap.newKeySet();
  private Bus two;
  private int shard;

  CopiedDebtTest() {
    super(SHARDS);
  }

  /** Node one places records where it cannot ask a third node; then node two owns the shard. */
  @BeforeEach
  void owe() throws Exception {
    Cluster second = cluster.join("2", "two", Role.PERSIST);
    Cluster before = view("0", "one");
    Set<Integer> twos = Set.copyOf(owned(second));
    cluster.leave("0");
    cluster.leave("2");
    cluster.join("3", "three", Role.PERSIST);
    TestNode one = joined(TestNode.start(vertx, view("1", "one"), config("one")));
    shard =
        owned(one.bus().cluster()).stream()
            .filter(each -> twos.contains(each))
            .findFirst()
            .orElseThrow(() -> new AssertionError(before.self() + " has none of " + twos));
    one.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 0, 3)));
    lose(one);
    cluster.leave("3");
    two = Bus.open(vertx, cluster.join("2", "two", Role.PERSIST), config("two").cluster());
    await(
        two.handover()
            .onOffer(
                shard,
                offer -> {
                  offered.add(offer.shard());
                  return Future.succeededFuture();
                })
            .completion());
  }

  private static List<Integer> owned(Cluster by) {
    return IntStream.range(0, SHARDS).filter(each -> by.owns(Role.PERSIST, each)).boxed().toList();
  }

  /** Node one starts, and says to node two that it owes. */
  private TestNode start(String id) throws Exception {
    offered.clear();
    return joined(TestNode.start(vertx, view(id, "one"), config("one")));
  }

  private Past past(TestNode one) {
    return EpochLog.past(one.storage.log().recovered(shard));
  }

  private void copy(String to, long epoch) throws Exception {
    Batch next = new Batch(shard, epoch, 1, batch(shard, "u", 0, 2).records());
    await(two.replica().replicate(to, copy(next.from(2))));
    await(two.replica().replicate(to, copy(next)));
  }

  private Replicate copy(Batch batch) {
    return new Replicate("2", 1, false, Position.none(shard), batch);
  }

  @Test
  void aCopyHidesNoDebtFromTheNextStart() throws Exception {
    TestNode one = start("4");
    final long owed = ((Past.Owed) past(one)).epoch();
    until(() -> offered.contains(shard));
    copy("4", OTHERS_EPOCH);
    lose(one);

    one = start("5");
    assertEquals(new Past.Owed(OTHERS_EPOCH, true), past(one), "and not only " + owed);
    until(() -> offered.contains(shard));
    copy("5", OTHERS_EPOCH + (1L << 32));
    lose(one);

    one = start("6");
    until(() -> offered.contains(shard));
  }

  /** The first process ended when the epoch of the copy was on disk and its mark was not. */
  @Test
  void aCopyThatWasBegunByAnotherProcessHidesNoDebt() throws Exception {
    TestNode one = start("4");
    until(() -> offered.contains(shard));
    Position last = new Position(shard, ((Past.Owed) past(one)).epoch(), 4);
    await(one.storage.log().beginEpoch(shard, OTHERS_EPOCH, last));
    lose(one);

    one = start("5");
    until(() -> offered.contains(shard));
    copy("5", OTHERS_EPOCH);
    lose(one);

    one = start("6");
    assertEquals(new Past.Owed(OTHERS_EPOCH, true), past(one));
    until(() -> offered.contains(shard));
  }

  /** What the owner has heard of is owed no more, whatever was copied before it had. */
  @Test
  void whatAnOwnerHasHeardBehindACopyIsNoDebt() throws Exception {
    TestNode one = start("4");
    until(() -> offered.contains(shard));
    copy("4", OTHERS_EPOCH);
    long next = OTHERS_EPOCH + (1L << 32);
    await(two.handover().begun("4", new Begun(shard, next, "2", OTHERS_EPOCH)));
    lose(one);
    assertEquals(Past.REPORTED, past(start("5")));
  }
}
