package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.record.Topic;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is soon found is searched for on the event loop, the rest never. */
@Timeout(180)
class HistoryLoopTest {
  private static final int SHARDS = 4;
  private static final int SHARD = Topic.shard("t", SHARDS);
  @TempDir Path directory;
  private Vertx vertx;
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    node =
        TestNode.start(
            vertx,
            new LocalCluster("one", Set.of(Role.values()), SHARDS),
            TestNode.config(
                directory,
                "node.shards=" + SHARDS,
                "persist.cold.enabled=false",
                "persist.history.loopBytes=20000"));
    node.awaitReady();
  }

  @AfterEach
  void stop() throws Exception {
    node.stop();
    await(vertx.close());
  }

  private int found(String filter, int limit) throws Exception {
    String self = node.bus().cluster().self().id();
    HistoryQuery query = new HistoryQuery(filter, 0, Long.MAX_VALUE, limit, true, "");
    Page page = await(node.bus().history().query(self, query));
    return page.records().size();
  }

  private double searches(String on) {
    return node.meters.get("galop.history.searched").tag("on", on).counter().count();
  }

  @Test
  void aShortSearchIsDoneAtOnceAndALongOneElsewhere() throws Exception {
    await(node.bus().persist().send(batch(SHARD, "t", 0, 100)));
    assertEquals(100, found("t", 1_000));
    assertEquals(7, found("#", 7));
    assertEquals(2, searches("loop"));
    assertEquals(0, searches("threads"));
    await(node.bus().persist().send(batch(SHARD, "t", 100, 1_000)));
    assertEquals(1_000, found("t", 1_000));
    assertEquals(7, found("#", 7));
    assertEquals(2, searches("loop"));
    assertEquals(2, searches("threads"));
  }
}
