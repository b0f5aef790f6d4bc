package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.bus.Ask;
import io.galop.bus.Begun;
import io.galop.bus.Bus;
import io.galop.bus.Offer;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.bus.Replicate;
import io.galop.bus.Seal;
import io.galop.bus.Sealed;
import io.galop.cluster.Cluster;
import io.galop.config.Role;
import io.galop.persist.log.HeldDisk;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What other nodes do while a node writes the start of an epoch to its Log. */
@Timeout(180)
class UnusedEpochTest extends PersistNodesTest {
  private static final int SHARDS = 8;
  private static final long OTHERS_EPOCH = 8L << 32;
  private final HeldDisk disk = new HeldDisk();
  private final Set<Integer> begun = ConcurrentHashMap.newKeySet();
  private volatile Sealed sealed;
  private TestNode one;
  private Bus two;
  private int shard;

  UnusedEpochTest() {
    super(SHARDS);
  }

  /** A shard that node one owns beside node two, and node three if it is there. */
  @BeforeEach
  void open() throws Exception {
    two = Bus.open(vertx, cluster.join("2", "two", Role.PERSIST), config("two").cluster());
    one = joined(TestNode.start(vertx, view("1", "one"), config("one"), disk));
    Cluster three = cluster.join("3", "three", Role.PERSIST);
    int[] threes =
        IntStream.range(0, SHARDS).filter(each -> three.owns(Role.PERSIST, each)).toArray();
    cluster.leave("3");
    shard =
        IntStream.of(threes)
            .filter(each -> one.bus().cluster().owns(Role.PERSIST, each))
            .findFirst()
            .orElseThrow();
    for (int each = 0; each < SHARDS; each++) {
      answer(each);
    }
    cluster.announce();
    Ask owner = new Ask(shard, Position.none(shard), "", 1);
    TestNode.ask(() -> one.bus().feed().latest(owner));
  }

  /** Node two has placed two records in an epoch of its own, once {@link #sealed} says so. */
  private void answer(int each) throws Exception {
    sealed = new Sealed(false, Position.none(each));
    Batch placed = new Batch(each, OTHERS_EPOCH, 1, batch(each, "t", 0, 2).records());
    List<Placed> records =
        List.of(
            new Placed(placed.position(0), placed.records().get(0)),
            new Placed(placed.position(1), placed.records().get(1)));
    Page tail = new Page(false, placed.position(1), "", records);
    Page nothing = new Page(true, Position.none(each), "", List.of());
    await(
        Future.all(
            two.handover().onSeal(each, seal -> Future.succeededFuture(sealed)).completion(),
            two.feed().onFetch(each, ask -> Future.succeededFuture(tail)).completion(),
            two.handover().onTopics(each, ask -> Future.succeededFuture(nothing)).completion(),
            two.handover().onBegun(each, this::onBegun).completion()));
  }

  private Future<Void> onBegun(Begun epoch) {
    begun.add(epoch.shard());
    return Future.succeededFuture();
  }

  /** Node one begins another epoch, and its disk does not answer. */
  private Future<Void> hold() throws Exception {
    begun.clear();
    disk.hold();
    Future<Void> decided = two.handover().offer("1", new Offer(shard, "2", OTHERS_EPOCH, false));
    until(() -> begun.contains(shard));
    return decided;
  }

  /** A record that the Log had no room for makes it copy into a memory of its own. */
  @Test
  void whatIsCopiedForAnEpochThatIsNotUsedIsLetGo() throws Exception {
    ShardMemory memory = one.storage.memory(shard);
    long epoch = memory.epochs().newest();
    memory.append(new Batch(shard, epoch, 1, batch(shard, "unkept", 0, 1).records()), 0);
    sealed = new Sealed(true, new Position(shard, OTHERS_EPOCH, 2));
    Future<Void> decided = hold();
    await(two.handover().begun("1", new Begun(shard, (20L << 32) + 2, "2")));
    Cluster third = cluster.join("3", "three", Role.PERSIST);
    disk.release();
    await(decided);

    Bus three = Bus.open(vertx, third, config("three").cluster());
    Batch next = new Batch(shard, (30L << 32) + 2, 1, batch(shard, "t", 2, 3).records());
    await(three.replica().replicate("1", copy(next.from(1))));
    await(three.replica().replicate("1", copy(next)));
    assertEquals(next.position(0), one.storage.memory(shard).tail().head());
  }

  private static Replicate copy(Batch batch) {
    return new Replicate("3", 1, true, Position.none(batch.shard()), batch);
  }

  /** Whoever asked has gone meanwhile: it goes on. */
  @Test
  void aSealThatWaitedForAnEpochIsRefusedIfNobodySeesWhoAsked() throws Exception {
    Future<Void> decided = hold();
    Future<Sealed> answer = two.handover().seal("1", new Seal(shard, "2"));
    await(two.handover().begun("1", new Begun(shard, 2, "2"))); // comes behind the seal
    cluster.leave("2");
    disk.release();
    ExecutionException refused = assertThrows(ExecutionException.class, () -> await(answer));
    assertEquals(Refusal.Why.NOT_MEMBER, Refusal.of(refused.getCause()).why());
    await(decided);
  }
}
