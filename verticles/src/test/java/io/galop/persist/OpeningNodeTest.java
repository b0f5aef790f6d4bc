package io.galop.persist;

import static io.galop.persist.TestNode.ask;
import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Bus;
import io.galop.bus.Page;
import io.galop.cluster.ClusterStart;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.record.Position;
import io.galop.servers.Ports;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that stores is in the cluster and has not read its Log: nothing waits for it, nobody is
 * told by it what it does not know yet, and when it has read its Log it gets its shards whole. Two
 * nodes in one JVM, joined by Hazelcast over loopback.
 */
@Tag("slow")
@Timeout(180)
class OpeningNodeTest {
  private static final int SHARDS = 4;
  @TempDir Path directory;
  private final String name = "test-" + System.nanoTime();
  private final Map<String, Integer> ports = new HashMap<>();
  private final List<Vertx> joined = new ArrayList<>();
  private final List<TestNode> running = new ArrayList<>();

  private record Joined(Vertx vertx, Bus bus) {}

  OpeningNodeTest() {
    ports.put("one", Ports.free());
    ports.put("two", Ports.free());
  }

  @AfterEach
  void close() throws Exception {
    for (TestNode node : running) {
      node.stop();
    }
    joined.forEach(vertx -> vertx.close().await());
  }

  private GalopConfig config(String node) {
    return TestNode.config(
        directory.resolve(node),
        "node.shards=" + SHARDS,
        "persist.cold.enabled=false",
        "cluster.name=" + name,
        "cluster.members=[127.0.0.1:%d,127.0.0.1:%d]".formatted(ports.get("one"), ports.get("two")),
        "cluster.port=" + ports.get(node),
        "cluster.busPort=0",
        "cluster.deadlineMs=5000",
        "cluster.maxSilenceSeconds=3");
  }

  /** In the cluster, with its Log still to be read. */
  private Joined join(String node) {
    GalopConfig config = config(node);
    ClusterStart.Started started = ClusterStart.start(config, node, new VertxOptions());
    joined.add(started.vertx());
    Bus bus = Bus.open(started.vertx(), started.cluster(), config.cluster());
    return new Joined(started.vertx(), bus);
  }

  private TestNode open(String node, Joined joined) throws Exception {
    TestNode opened = TestNode.start(joined.vertx(), joined.bus(), config(node));
    running.add(opened);
    return opened;
  }

  private static Page fetch(TestNode by, int shard, Position since) throws Exception {
    return ask(() -> by.bus().feed().fetch(new Ask(shard, since, "", 1 << 20)));
  }

  private static List<String> ids(Page page) {
    return page.records().stream().map(placed -> placed.record().id()).toList();
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "t-" + i).toList();
  }

  @Test
  void whileANodeReadsItsLogAnotherServesItsShards() throws Exception {
    TestNode one = open("one", join("one"));
    one.awaitReady();
    List<Position> before = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      await(one.bus().persist().send(batch(shard, "t", 0, 10)));
      before.add(fetch(one, shard, Position.none(shard)).upTo());
    }

    Joined opening = join("two");
    until(() -> one.bus().cluster().members().size() == 2);
    for (int shard = 0; shard < SHARDS; shard++) {
      await(one.bus().persist().send(batch(shard, "t", 10, 20)));
      Page missed = fetch(one, shard, before.get(shard));
      assertTrue(missed.complete());
      assertEquals(numbers(10, 20), ids(missed));
      assertEquals(Set.of("t-19"), latest(one, shard));
    }

    TestNode two = open("two", opening);
    until(() -> IntStream.range(0, SHARDS).anyMatch(s -> isWith(one, two, s)));
    two.awaitReady();
    for (int shard = 0; shard < SHARDS; shard++) {
      await(one.bus().persist().send(batch(shard, "t", 20, 21)));
      Page all = fetch(one, shard, before.get(shard));
      assertTrue(all.complete(), "shard " + shard);
      assertEquals(numbers(10, 21), ids(all));
    }
  }

  private static boolean isWith(TestNode by, TestNode owner, int shard) {
    return by.bus()
        .cluster()
        .owner(Role.PERSIST, shard)
        .filter(owner.bus().cluster().self()::equals)
        .isPresent();
  }

  /** Its Log is older than what the other has placed since. */
  @Test
  void aNodeThatComesBackShowsNothingThatIsOlderThanWhatTheOthersHave() throws Exception {
    TestNode one = open("one", join("one"));
    TestNode two = open("two", join("two"));
    until(() -> IntStream.range(0, SHARDS).anyMatch(s -> isWith(one, two, s)));
    one.awaitReady();
    two.awaitReady();
    int shard =
        IntStream.range(0, SHARDS).filter(s -> isWith(one, two, s)).findFirst().orElseThrow();
    await(one.bus().persist().send(batch(shard, "quiet", 0, 1)));
    await(one.bus().persist().send(batch(shard, "t", 0, 10)));
    Position seen = fetch(one, shard, Position.none(shard)).upTo();
    running.remove(two);
    two.stop();
    two.vertx.close().await();
    joined.remove(two.vertx);
    until(() -> one.bus().cluster().owns(Role.PERSIST, shard) && one.node.readiness().isReady());
    await(one.bus().persist().send(batch(shard, "t", 10, 12)));

    Joined opening = join("two");
    until(() -> one.bus().cluster().members().size() == 2);
    await(one.bus().persist().send(batch(shard, "t", 12, 14)));
    assertEquals(Set.of("quiet-0", "t-13"), latest(one, shard));
    assertEquals(numbers(10, 14), ids(fetch(one, shard, seen)));

    TestNode again = open("two", opening);
    until(() -> isWith(one, again, shard));
    again.awaitReady();
    assertEquals(Set.of("quiet-0", "t-13"), latest(one, shard));
    await(one.bus().persist().send(batch(shard, "t", 13, 15)));
    Page missed = fetch(one, shard, seen);
    assertTrue(missed.complete());
    assertEquals(numbers(10, 15), ids(missed));
    assertEquals(Set.of("quiet-0", "t-14"), latest(one, shard));
  }

  /** The ids of the last records of all topics, as the owner that a node sees knows them. */
  private static Set<String> latest(TestNode by, int shard) throws Exception {
    Page page =
        ask(() -> by.bus().feed().latest(new Ask(shard, Position.none(shard), "", 1 << 20)));
    return page.records().stream().map(p -> p.record().id()).collect(Collectors.toSet());
  }
}
