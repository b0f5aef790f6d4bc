package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.bus.Bus;
import io.galop.cluster.Cluster;
import io.galop.config.Role;
import io.galop.record.Position;
import io.galop.servers.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that is there answers no Seal: the one that asks goes on without it, on its own loop. */
@Timeout(180)
class SilentSealTest extends PersistNodesTest {
  @RegisterExtension static final RedisServer REDIS = new RedisServer();
  private static final int SHARDS = 4;
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

  SilentSealTest() {
    super(SHARDS);
    vertx.exceptionHandler(uncaught::add);
  }

  /** A member that takes each Seal and never says anything. */
  private void beSilent() throws Exception {
    Cluster two = cluster.join("2", "two", Role.PERSIST);
    Bus silent = Bus.open(vertx, two, config("two").cluster());
    for (int shard = 0; shard < SHARDS; shard++) {
      await(
          silent
              .handover()
              .onSeal(shard, seal -> Promise.<io.galop.bus.Sealed>promise().future())
              .completion());
    }
  }

  private void takeOver(String... settings) throws Exception {
    beSilent();
    TestNode one = join("1", "one", settings);
    int shard = shardOf(one);
    TestFollower follower = new TestFollower(vertx, one.bus(), shard);
    Future<Void> held = one.bus().persist().send(batch(shard, "t", 0, 10));
    follower.follow(Position.none(shard));
    one.awaitReady();
    await(held);
    await(one.bus().persist().send(batch(shard, "t", 10, 20)));
    assertEquals(20, fetch(one, Position.none(shard)).records().size());
    assertEquals(List.of(), uncaught);
  }

  @Test
  void theShardsAreOwnedWithoutABackup() throws Exception {
    takeOver("persist.takeoverTimeoutMs=300");
  }

  @Test
  void theShardsAreOwnedWithABackup() throws Exception {
    takeOver(
        "persist.takeoverTimeoutMs=300",
        "persist.backup={redis: {port: %d, sink: {timeoutMs: 1000}}}".formatted(REDIS.port()));
  }
}
