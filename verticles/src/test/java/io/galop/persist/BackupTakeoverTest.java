package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.record.Position;
import io.galop.servers.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The next owner of a shard fills its memory from the backup tier. */
@Tag("slow")
@Timeout(180)
class BackupTakeoverTest extends PersistNodesTest {
  private static final int SHARDS = 2;
  @RegisterExtension static final RedisServer REDIS = new RedisServer();
  private TestNode one;
  private TestNode two;
  private int shard;

  BackupTakeoverTest() {
    super(SHARDS);
  }

  @BeforeEach
  void start() throws Exception {
    REDIS.empty();
    one = joinWithBackup("1", "one");
    two = joinWithBackup("2", "two");
    one.awaitReady();
    two.awaitReady();
    shard = shardOf(two);
  }

  @AfterEach
  void thaw() {
    REDIS.thaw();
  }

  private TestNode joinWithBackup(String id, String name) throws Exception {
    return join(
        id,
        name,
        "persist.takeoverTimeoutMs=1000",
        "persist.backup={redis: {port: %d, sink: {timeoutMs: 1000}}}".formatted(REDIS.port()));
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
  private void loseOwner() throws Exception {
    lose(two);
    awaitOwner(one, shard);
  }

  @Test
  void theNextOwnerHasWhatTheBackupTierHas() throws Exception {
    await(two.bus().persist().send(batch(shard, "t", 0, 100)));
    Position seen = fetch(one, Position.none(shard)).records().get(50).position();
    awaitStored(100);
    loseOwner();
    assertEquals(numbers(0, 100), ids(remembered()));
    assertFalse(fetch(one, seen).complete(), "nobody knows whether there was more");
    assertEquals("t-99", ids(latest(one, shard)).get(0));

    double known = one.meters.get("galop.persist.duplicates").counter().count();
    await(one.bus().persist().send(batch(shard, "t", 90, 110)));
    assertEquals(known + 10, one.meters.get("galop.persist.duplicates").counter().count());
  }

  @Test
  void aBackupTierThatStandsStillDoesNotKeepTheShardFromItsNextOwner() throws Exception {
    await(two.bus().persist().send(batch(shard, "t", 0, 10)));
    awaitStored(10);
    REDIS.freeze();
    loseOwner();
    await(one.bus().persist().send(batch(shard, "t", 10, 11)));
    REDIS.thaw();
    assertEquals("t-10", fetch(one, Position.none(shard)).records().get(0).record().id());
  }
}
