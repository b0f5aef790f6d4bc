package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Refusal;
import io.galop.node.OwnedShard;
import io.galop.node.OwnerTap;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What somebody who hears of a shard writes is of the epoch of which he has heard. */
@Timeout(120)
class ShardTapTest extends PersistNodesTest implements OwnerTap {
  private static final long AHEAD = 1L << 50;

  private final Map<Integer, OwnedShard> owned = new ConcurrentHashMap<>();

  ShardTapTest() {
    super(2);
  }

  @Override
  public void onOwned(OwnedShard shard) {
    owned.put(shard.shard(), shard);
  }

  @Override
  public void onLogged(Batch batch) {}

  @Override
  public void onLost(int shard) {
    owned.remove(shard);
  }

  private static Future<Void> write(OwnedShard to, String id) {
    byte[] data = "{}".getBytes(StandardCharsets.UTF_8);
    return to.write(List.of(new Record(id, "t", 1, data)));
  }

  @Test
  void nothingComesLateIntoANewEpoch() throws Exception {
    TestNode one = joined(TestNode.start(vertx, view("1", "one"), config("one"), this));
    one.awaitReady();
    until(() -> owned.containsKey(0));
    OwnedShard before = owned.get(0);
    await(write(before, "1"));
    assertEquals(1, await(before.latestNow()).size());

    // A viewer's node has seen a larger epoch, so the owner begins one beyond it.
    TestFollower follower = new TestFollower(vertx, one.bus(), 0);
    until(
        () -> {
          try {
            return follower.follow(new Position(0, AHEAD, 1)) != null;
          } catch (Exception refused) {
            return false;
          }
        });
    until(() -> owned.containsKey(0) && owned.get(0) != before);
    Refusal late =
        (Refusal)
            write(before, "2")
                .transform(done -> Future.succeededFuture(done.cause()))
                .toCompletionStage()
                .toCompletableFuture()
                .get();
    assertEquals(Refusal.Why.WRONG_EPOCH, late.why());
    await(write(owned.get(0), "3"));
    HistoryQuery all = new HistoryQuery("#", Long.MIN_VALUE, Long.MAX_VALUE, 10, false, "");
    assertEquals(List.of("1", "3"), ids(await(one.bus().history().query("1", all))));
  }
}
