package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Cluster;
import io.galop.bus.Page;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The last values of topics that have left the RAM tier long ago. */
@Timeout(90)
class QuietTopicsTest {
  private static final int SHARDS = 4;
  private static final String SMALL = "persist.ram.maxBytes=1048576";
  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster(SHARDS);
  private final List<TestNode> running = new ArrayList<>();
  private Vertx vertx;

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void close() throws Exception {
    for (TestNode node : running) {
      node.stop();
    }
    await(vertx.close());
  }

  private TestNode join(String id, String name, String... more) throws Exception {
    Cluster view = cluster.join(id, name, Role.PERSIST, Role.BROADCAST);
    List<String> sets = new ArrayList<>(List.of(more));
    sets.addAll(List.of("node.shards=4", "persist.cold.enabled=false", SMALL));
    TestNode node =
        TestNode.start(
            vertx, view, TestNode.config(directory.resolve(name), sets.toArray(new String[0])));
    running.add(node);
    cluster.announce();
    return node;
  }

  private void leave(String id, TestNode node) throws Exception {
    running.remove(node);
    node.stop();
    cluster.leave(id);
    cluster.announce();
  }

  /** A quiet topic, and after it more than the RAM tier holds, in every shard. */
  private static void fill(TestNode node) throws Exception {
    for (int shard = 0; shard < SHARDS; shard++) {
      await(node.bus().persist().send(batch(shard, "quiet", 0, 1)));
    }
    for (int n = 0; n < 200; n++) {
      int shard = n % SHARDS;
      List<Record> records =
          IntStream.range(n * 40, n * 40 + 40)
              .mapToObj(i -> new Record("loud-" + i, "loud", i, new byte[500]))
              .toList();
      await(node.bus().persist().send(Batch.unplaced(shard, records)));
    }
  }

  private static Page latest(TestNode by, int shard) throws Exception {
    return await(by.bus().feed().latest(new Ask(shard, Position.none(shard), "", 1 << 20)));
  }

  private static Set<String> topics(Page page) {
    return page.records().stream().map(p -> p.record().topic()).collect(Collectors.toSet());
  }

  @Test
  void aNodeThatStartsAgainFindsThemInItsLog() throws Exception {
    TestNode one = join("1", "one");
    one.awaitReady();
    fill(one);
    leave("1", one);
    TestNode again = join("2", "one");
    again.awaitReady();
    for (int shard = 0; shard < SHARDS; shard++) {
      Page page = latest(again, shard);
      assertEquals(Set.of("quiet", "loud"), topics(page));
      assertTrue(page.complete(), "it has read the whole Log");
    }
  }

  @Test
  void aNodeThatMayNotReadThatFarSaysSo() throws Exception {
    TestNode one = join("1", "one");
    one.awaitReady();
    fill(one);
    leave("1", one);
    String[] little = {"persist.latestLogBytes=0", "persist.log.segmentBytes=1048576"};
    TestNode again = join("2", "one", little[0], little[1], "persist.log.queueBytes=65536");
    again.awaitReady();
    fill(again);
    leave("2", again);
    TestNode third = join("3", "one", little[0], little[1], "persist.log.queueBytes=65536");
    third.awaitReady();
    assertFalse(latest(third, 0).complete());
  }

  @Test
  void aNewOwnerGetsThemFromTheOneBefore() throws Exception {
    TestNode one = join("1", "one");
    one.awaitReady();
    fill(one);
    TestNode two = join("2", "two");
    two.awaitReady();
    int moved =
        IntStream.range(0, SHARDS)
            .filter(shard -> two.bus().cluster().owns(Role.PERSIST, shard))
            .findFirst()
            .orElseThrow();
    until(() -> one.node.readiness().isReady());
    Page page = latest(one, moved);
    assertEquals(Set.of("quiet", "loud"), topics(page));
    assertTrue(page.complete(), "the node before knew them all");
  }

  @Test
  void whoStandsInForADeadNodeDoesNotClaimToKnowThem() throws Exception {
    TestNode one = join("1", "one");
    one.awaitReady();
    TestNode two = join("2", "two");
    two.awaitReady();
    int shard =
        IntStream.range(0, SHARDS)
            .filter(s -> two.bus().cluster().owns(Role.PERSIST, s))
            .findFirst()
            .orElseThrow();
    await(two.bus().persist().send(batch(shard, "quiet", 0, 1)));
    cluster.cutOff("2");
    cluster.announce();
    until(() -> one.bus().cluster().owns(Role.PERSIST, shard) && one.node.readiness().isReady());
    assertFalse(latest(one, shard).complete());
    cluster.reunite();
    cluster.announce();
    until(() -> two.meters.get("galop.persist.epochs").counter().count() > 2);
    two.awaitReady();
    assertEquals(Set.of("quiet"), topics(latest(one, shard)));
    assertTrue(latest(one, shard).complete(), "all who may have placed any were asked");
  }
}
