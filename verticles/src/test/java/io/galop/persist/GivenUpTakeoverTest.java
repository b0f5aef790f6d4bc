package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Begun;
import io.galop.bus.Bus;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Seal;
import io.galop.bus.Sealed;
import io.galop.config.Role;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node takes a shard over, is asked for it meanwhile, and takes it again. */
@Timeout(180)
class GivenUpTakeoverTest extends PersistNodesTest {
  private static final int SHARDS = 8;
  private static final long ONE_EPOCH = 1L << 32;

  private TestNode one;
  private Bus two;
  private int shard;
  private long ownEpoch;
  private List<Placed> placed;

  /** What node two says. */
  private volatile Sealed sealed;

  private volatile Future<Page> topics;
  private volatile boolean isAskedForTopics;

  GivenUpTakeoverTest() {
    super(SHARDS);
  }

  @BeforeEach
  void open() throws Exception {
    two = Bus.open(vertx, cluster.join("2", "two", Role.PERSIST), config("two").cluster());
    for (int each = 0; each < SHARDS; each++) {
      answer(each);
    }
    one = join("1", "one");
    shard = shardOf(one);
    TestNode.ask(() -> one.bus().feed().latest(new Ask(shard, Position.none(shard), "", 1)));
    await(one.bus().persist().send(batch(shard, "t", 0, 1)));
    placed = fetch(one, Position.none(shard)).records();
    ownEpoch = placed.get(0).position().epoch();
  }

  private void answer(int each) throws Exception {
    sealed = new Sealed(false, Position.none(each));
    topics = Future.succeededFuture(new Page(true, Position.none(each), "", List.of()));
    await(
        Future.all(
            two.handover().onSeal(each, seal -> Future.succeededFuture(sealed)).completion(),
            two.feed().onFetch(each, this::onFetch).completion(),
            two.handover().onTopics(each, ask -> onTopics()).completion(),
            two.handover().onBegun(each, begun -> Future.succeededFuture()).completion()));
  }

  /** It has what node one placed, and epochs of its own without a record. */
  private Future<Page> onFetch(Ask ask) {
    List<Placed> records = ask.since().isNone() ? placed : List.of();
    return Future.succeededFuture(new Page(true, sealed.last(), "", records));
  }

  private Future<Page> onTopics() {
    isAskedForTopics = true;
    return topics;
  }

  /** Node two takes the shard, and begins an epoch; node one does not take it back by itself. */
  private void twoTakes(long epoch, long heard) throws Exception {
    cluster.takesForOpening("1", "1", true);
    sealed = new Sealed(true, new Position(shard, epoch, 0));
    await(two.handover().seal("1", new Seal(shard, "2")));
    await(two.handover().begun("1", new Begun(shard, epoch, "2", heard)));
  }

  private void oneTakes() {
    cluster.tell("1");
    cluster.announce();
  }

  @Test
  void aFollowerInAnEpochWithoutRecordsMissesNothing() throws Exception {
    long first = ownEpoch + ONE_EPOCH;
    Future<Page> answered = topics;
    Promise<Page> held = Promise.promise();
    topics = held.future();
    isAskedForTopics = false;
    twoTakes(first, ownEpoch);
    oneTakes();
    until(() -> isAskedForTopics);
    topics = answered;
    twoTakes(first + ONE_EPOCH, 0);
    answered.onSuccess(held::complete);
    oneTakes();

    Position at = new Position(shard, first, 0);
    Followed followed =
        TestNode.ask(() -> one.bus().feed().follow(new Follow("2", 1, at, first + ONE_EPOCH)));
    assertTrue(followed.complete(), followed.toString());
    await(one.bus().persist().send(batch(shard, "t", 0, 2)));
    assertEquals(numbers(0, 2), ids(fetch(one, Position.none(shard))), "each once");
  }
}
