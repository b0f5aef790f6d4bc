package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.bus.Ask;
import io.galop.bus.Cluster;
import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.config.Role;
import io.galop.record.Position;
import io.galop.servers.RedisServer;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The next owner of a shard fills its memory from the backup tier. */
@Timeout(120)
class BackupTakeoverTest {
  private static final int SHARDS = 2;
  @RegisterExtension static final RedisServer REDIS = new RedisServer();
  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster(SHARDS);
  private final List<TestNode> running = new ArrayList<>();
  private Vertx vertx;
  private TestNode one;
  private TestNode two;
  private int shard;

  @BeforeEach
  void start() throws Exception {
    REDIS.empty();
    vertx = Vertx.vertx();
    one = join("1", "one");
    two = join("2", "two");
    one.awaitReady();
    two.awaitReady();
    shard =
        IntStream.range(0, SHARDS)
            .filter(each -> two.bus().cluster().owns(Role.PERSIST, each))
            .findFirst()
            .orElseThrow();
  }

  @AfterEach
  void stop() throws Exception {
    REDIS.thaw();
    for (TestNode node : running) {
      node.stop();
    }
    await(vertx.close());
  }

  private TestNode join(String id, String name) throws Exception {
    Cluster view = cluster.join(id, name, Role.PERSIST, Role.BROADCAST);
    TestNode node =
        TestNode.start(
            vertx,
            view,
            TestNode.config(
                directory.resolve(name),
                "node.shards=" + SHARDS,
                "persist.cold.enabled=false",
                "persist.takeoverTimeoutMs=1000",
                "persist.backup={redis: {port: %d, sink: {timeoutMs: 1000}}}"
                    .formatted(REDIS.port())));
    running.add(node);
    cluster.announce();
    return node;
  }

  private Page fetch(Position since) throws Exception {
    return await(one.bus().feed().fetch(new Ask(shard, since, "", 1 << 20)));
  }

  /** Searched in memory, while the backup tier stands still. */
  private Page remembered() throws Exception {
    HistoryQuery query = new HistoryQuery("#", Long.MIN_VALUE, Long.MAX_VALUE, 1_000, false, "");
    REDIS.freeze();
    try {
      return await(one.bus().history().query("1", query));
    } finally {
      REDIS.thaw();
    }
  }

  private void awaitStored(int count) throws Exception {
    until(
        () -> {
          try (var redis = REDIS.client()) {
            return redis.hlen("galop:shard:" + shard + ":records") == count;
          }
        });
  }

  /** The owner is gone with its disk: it leaves without a word, and never comes back. */
  private void lose() throws Exception {
    cluster.leave("2");
    cluster.announce();
    running.remove(two);
    two.stop();
    until(() -> one.bus().cluster().owns(Role.PERSIST, shard) && one.node.readiness().isReady());
  }

  @Test
  void theNextOwnerHasWhatTheBackupTierHas() throws Exception {
    await(two.bus().persist().send(batch(shard, "t", 0, 100)));
    Position seen = fetch(Position.none(shard)).records().get(50).position();
    awaitStored(100);
    lose();
    List<String> ids = remembered().records().stream().map(p -> p.record().id()).toList();
    assertEquals(IntStream.range(0, 100).mapToObj(i -> "t-" + i).toList(), ids);
    assertFalse(fetch(seen).complete(), "nobody knows whether there was more");
    Page latest = await(one.bus().feed().latest(new Ask(shard, seen, "", 1 << 20)));
    assertEquals("t-99", latest.records().get(0).record().id());

    double known = one.meters.get("galop.persist.duplicates").counter().count();
    await(one.bus().persist().send(batch(shard, "t", 90, 110)));
    assertEquals(known + 10, one.meters.get("galop.persist.duplicates").counter().count());
  }

  @Test
  void aBackupTierThatStandsStillDoesNotKeepTheShardFromItsNextOwner() throws Exception {
    await(two.bus().persist().send(batch(shard, "t", 0, 10)));
    awaitStored(10);
    REDIS.freeze();
    lose();
    await(one.bus().persist().send(batch(shard, "t", 10, 11)));
    REDIS.thaw();
    assertEquals("t-10", fetch(Position.none(shard)).records().get(0).record().id());
  }
}
