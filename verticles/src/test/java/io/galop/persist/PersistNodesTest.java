package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.until;

import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.cluster.Cluster;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.record.Position;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of a cluster that come and go. */
abstract class PersistNodesTest {
  @TempDir Path directory;
  final Vertx vertx = Vertx.vertx();
  final TestCluster cluster;
  final List<TestNode> running = new ArrayList<>();
  private final int shards;

  PersistNodesTest(int shards) {
    this.shards = shards;
    this.cluster = new TestCluster(shards);
  }

  @AfterEach
  final void stopNodes() throws Exception {
    for (TestNode node : running) {
      node.stop();
    }
    await(vertx.close());
  }

  /** The configuration of a node whose data are in a directory of that name. */
  final GalopConfig config(String disk, String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.addAll(List.of("node.shards=" + shards, "persist.cold.enabled=false"));
    return TestNode.config(directory.resolve(disk), all.toArray(new String[0]));
  }

  /** What a node that comes sees of the cluster. */
  final Cluster view(String id, String name) {
    return cluster.join(id, name, Role.PERSIST, Role.BROADCAST);
  }

  /** A node comes that has the disk of its name. */
  final TestNode join(String id, String name, String... settings) throws Exception {
    return joined(TestNode.start(vertx, view(id, name), config(name, settings)));
  }

  /** The others are told. */
  final TestNode joined(TestNode node) {
    running.add(node);
    cluster.announce();
    return node;
  }

  /** The others know before it ends. */
  final void lose(TestNode node) throws Exception {
    cluster.leave(node.bus().cluster().self().id());
    cluster.announce();
    running.remove(node);
    node.stop();
  }

  /** As if it were killed: it is gone before the others know. */
  final void kill(TestNode node) throws Exception {
    cluster.leave(node.bus().cluster().self().id());
    running.remove(node);
    node.stop();
    cluster.announce();
  }

  /** It hands over what it has, and goes. */
  final void leave(TestNode node) throws Exception {
    running.remove(node);
    node.stop();
    cluster.leave(node.bus().cluster().self().id());
    cluster.announce();
  }

  /** A shard that the node owns as it sees the cluster. */
  final int shardOf(TestNode owner) {
    return shardOf(owner.bus().cluster());
  }

  final int shardOf(Cluster owner) {
    return IntStream.range(0, shards)
        .filter(shard -> owner.owns(Role.PERSIST, shard))
        .findFirst()
        .orElseThrow();
  }

  static void awaitOwner(TestNode node, int shard) throws Exception {
    until(() -> node.bus().cluster().owns(Role.PERSIST, shard) && node.node.readiness().isReady());
  }

  /** What comes after a Position, as the owner that a node sees has it. */
  static Page fetch(TestNode by, Position since) throws Exception {
    return await(by.bus().feed().fetch(new Ask(since.shard(), since, "", 1 << 20)));
  }

  /** The last records of all topics of a shard, as the owner that a node sees knows them. */
  static Page latest(TestNode by, int shard) throws Exception {
    return await(by.bus().feed().latest(new Ask(shard, Position.none(shard), "", 1 << 20)));
  }

  static List<String> ids(Page page) {
    return page.records().stream().map(placed -> placed.record().id()).toList();
  }

  /** The ids of {@code TestNode.batch(shard, "t", from, to)}. */
  static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "t-" + i).toList();
  }
}
