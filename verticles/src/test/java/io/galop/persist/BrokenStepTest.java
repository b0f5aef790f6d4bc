package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever goes wrong in a step of a takeover, the shard is taken at the next attempt. */
@Timeout(180)
class BrokenStepTest extends PersistNodesTest {
  BrokenStepTest() {
    super(4);
  }

  @Test
  void aShardIsTakenAlthoughAStepOfItsTakeoverFailed() throws Exception {
    cluster.failOnceIn(".Seals");
    TestNode one = join("1", "one");
    for (int shard = 0; shard < 4; shard++) {
      await(one.bus().persist().send(TestNode.batch(shard, "t", 0, 1)));
    }
    assertTrue(cluster.hasFailed());
  }
}
