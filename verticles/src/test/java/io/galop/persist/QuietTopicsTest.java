package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Page;
import io.galop.record.Batch;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The last values of topics that have left the RAM tier long ago. */
@Timeout(180)
class QuietTopicsTest extends PersistNodesTest {
  private static final int SHARDS = 4;
  private static final String SMALL = "persist.ram.maxBytes=1048576";

  QuietTopicsTest() {
    super(SHARDS);
  }

  private TestNode joinSmall(String id, String name, String... more) throws Exception {
    List<String> settings = new ArrayList<>(List.of(more));
    settings.add(SMALL);
    return join(id, name, settings.toArray(new String[0]));
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

  private static Set<String> topics(Page page) {
    return page.records().stream().map(p -> p.record().topic()).collect(Collectors.toSet());
  }

  @Test
  void aNodeThatStartsAgainFindsThemInItsLog() throws Exception {
    TestNode one = joinSmall("1", "one");
    one.awaitReady();
    fill(one);
    leave(one);
    TestNode again = joinSmall("2", "one");
    again.awaitReady();
    for (int shard = 0; shard < SHARDS; shard++) {
      Page page = latest(again, shard);
      assertEquals(Set.of("quiet", "loud"), topics(page));
      assertTrue(page.complete(), "it has read the whole Log");
    }
  }

  @Test
  void aNodeThatMayNotReadThatFarSaysSo() throws Exception {
    TestNode one = joinSmall("1", "one");
    one.awaitReady();
    fill(one);
    leave(one);
    String[] little = {"persist.latestLogBytes=0", "persist.log.segmentBytes=1048576"};
    TestNode again = joinSmall("2", "one", little[0], little[1], "persist.log.queueBytes=65536");
    again.awaitReady();
    fill(again);
    leave(again);
    TestNode third = joinSmall("3", "one", little[0], little[1], "persist.log.queueBytes=65536");
    third.awaitReady();
    assertFalse(latest(third, 0).complete());
  }

  @Test
  void aNewOwnerGetsThemFromTheOneBefore() throws Exception {
    TestNode one = joinSmall("1", "one");
    one.awaitReady();
    fill(one);
    TestNode two = joinSmall("2", "two");
    two.awaitReady();
    int moved = shardOf(two);
    one.awaitReady();
    Page page = latest(one, moved);
    assertEquals(Set.of("quiet", "loud"), topics(page));
    assertTrue(page.complete(), "the node before knew them all");
  }

  @Test
  void whoStandsInForADeadNodeDoesNotClaimToKnowThem() throws Exception {
    TestNode one = joinSmall("1", "one");
    one.awaitReady();
    TestNode two = joinSmall("2", "two");
    two.awaitReady();
    int shard = shardOf(two);
    await(two.bus().persist().send(batch(shard, "quiet", 0, 1)));
    cluster.cutOff("2");
    cluster.announce();
    awaitOwner(one, shard);
    assertFalse(latest(one, shard).complete());
    cluster.reunite();
    cluster.announce();
    until(() -> two.meters.get("galop.persist.epochs").counter().count() > 2);
    two.awaitReady();
    assertEquals(Set.of("quiet"), topics(latest(one, shard)));
    assertTrue(latest(one, shard).complete(), "all who may have placed any were asked");
  }
}
