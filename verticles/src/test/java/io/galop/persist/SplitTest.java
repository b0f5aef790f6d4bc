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
import io.galop.record.Position;
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

/** An owner goes, or is away for a while: nothing that it or who stood in for it has is lost. */
@Timeout(90)
class SplitTest {
  private static final int SHARDS = 4;
  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster(SHARDS);
  private final List<TestNode> running = new ArrayList<>();
  private Vertx vertx;
  private TestNode one;
  private TestNode two;
  private int shard;

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    one = join("1", "one");
    two = join("2", "two");
    one.awaitReady();
    two.awaitReady();
    shard =
        IntStream.range(0, SHARDS)
            .filter(s -> two.bus().cluster().owns(Role.PERSIST, s))
            .findFirst()
            .orElseThrow();
  }

  @AfterEach
  void close() throws Exception {
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
                directory.resolve(name), "node.shards=4", "persist.cold.enabled=false"));
    running.add(node);
    cluster.announce();
    return node;
  }

  private void awaitOwner(TestNode node) throws Exception {
    until(() -> node.bus().cluster().owns(Role.PERSIST, shard) && node.node.readiness().isReady());
  }

  private static double epochs(TestNode node) {
    return node.meters.get("galop.persist.epochs").counter().count();
  }

  private Page fetch(TestNode by, Position since) throws Exception {
    return await(by.bus().feed().fetch(new Ask(shard, since, "", 1 << 20)));
  }

  /** The ids of the last records of all topics, as the owner that a node sees knows them. */
  private Set<String> latest(TestNode by) throws Exception {
    Page page = await(by.bus().feed().latest(new Ask(shard, Position.none(shard), "", 1 << 20)));
    return page.records().stream().map(p -> p.record().id()).collect(Collectors.toSet());
  }

  @Test
  void anOwnerThatWasCutOffTakesOverWhatTheOtherStored() throws Exception {
    await(two.bus().persist().send(batch(shard, "t", 0, 10)));
    await(two.bus().persist().send(batch(shard, "quiet", 0, 1)));
    cluster.cutOff("2");
    cluster.announce();
    awaitOwner(one);
    await(one.bus().persist().send(batch(shard, "t", 10, 20)));
    await(two.bus().persist().send(batch(shard, "u", 0, 2)));
    Position seen = fetch(one, Position.none(shard)).upTo();
    double before = epochs(two);

    cluster.reunite();
    cluster.announce();
    until(() -> epochs(two) > before);
    two.awaitReady();
    assertEquals(Set.of("t-19", "u-1", "quiet-0"), latest(one));
    assertFalse(fetch(one, seen).complete(), "u-0 and u-1 were placed beside it");
    await(one.bus().persist().send(batch(shard, "t", 8, 21)));
    assertEquals(12, two.meters.get("galop.persist.duplicates").counter().count());
    assertEquals(Set.of("t-20", "u-1", "quiet-0"), latest(one));
    double after = epochs(two);
    Thread.sleep(2_500);
    assertEquals(after, epochs(two), "it is settled who owns the shard");
  }

  @Test
  void anOwnerThatComesBackKeepsWhatItsOwnLogHas() throws Exception {
    await(two.bus().persist().send(batch(shard, "quiet", 0, 5)));
    cluster.leave("2");
    running.remove(two);
    two.stop();
    cluster.announce();
    awaitOwner(one);
    await(one.bus().persist().send(batch(shard, "t", 0, 3)));
    Position seen = fetch(one, Position.none(shard)).upTo();

    two = join("3", "two");
    two.awaitReady();
    await(one.bus().persist().send(batch(shard, "t", 2, 4)));
    assertEquals(Set.of("quiet-4", "t-3"), latest(one));
    Page missed = fetch(one, seen);
    assertTrue(missed.complete());
    assertEquals(1, missed.records().size());
  }

  @Test
  void aNodeThatStopsInOrderHandsItsShardsOver() throws Exception {
    await(one.bus().persist().send(batch(shard, "quiet", 0, 1)));
    await(one.bus().persist().send(batch(shard, "t", 0, 10)));
    Position half = fetch(one, Position.none(shard)).records().get(5).position();
    two.stop();
    running.remove(two);
    double before = epochs(one);
    cluster.leave("2");
    cluster.announce();
    awaitOwner(one);
    await(one.bus().persist().send(batch(shard, "t", 9, 11)));
    Page rest = fetch(one, half);
    assertTrue(rest.complete());
    assertEquals(6, rest.records().size());
    assertEquals(Set.of("quiet-0", "t-10"), latest(one));
    assertEquals(before, epochs(one), "taken once");
  }

  /** The rightful owner began an epoch apart, after the one in which the other stood in for it. */
  @Test
  void anOwnerThatStartedApartLearnsWhatTheOtherStored() throws Exception {
    await(two.bus().persist().send(batch(shard, "quiet", 0, 1)));
    await(two.bus().persist().send(batch(shard, "both", 0, 1)));
    cluster.cutOff("2");
    cluster.announce();
    awaitOwner(one);
    await(one.bus().persist().send(batch(shard, "t", 0, 3)));
    await(one.bus().persist().send(batch(shard, "both", 1, 2)));
    Position seen = fetch(one, Position.none(shard)).upTo();
    running.remove(two);
    two.stop();
    cluster.leave("2");
    cluster.cutOff("3");
    two = join("3", "two");
    two.awaitReady();
    await(two.bus().persist().send(batch(shard, "u", 0, 2)));

    cluster.reunite();
    cluster.announce();
    Set<String> all = Set.of("quiet-0", "t-2", "u-1", "both-1");
    until(() -> epochs(two) > SHARDS && two.node.readiness().isReady());
    two.awaitReady();
    assertEquals(all, latest(one));
    assertFalse(fetch(one, seen).complete(), "u-0 and u-1 were placed beside it");
    await(one.bus().persist().send(batch(shard, "t", 1, 4)));
    assertEquals(2, two.meters.get("galop.persist.duplicates").counter().count());
  }
}
