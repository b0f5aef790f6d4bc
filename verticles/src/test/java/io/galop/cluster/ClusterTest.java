package io.galop.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.galop.bus.Ask;
import io.galop.bus.Bus;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.config.ClusterConfig;
import io.galop.config.ClusterTlsConfig;
import io.galop.config.GalopConfig;
import io.galop.config.NodeConfig;
import io.galop.config.Role;
import io.galop.config.SocketTransport;
import io.galop.e2e.Await;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.servers.Ports;
import io.galop.yaml.ConfigException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several nodes in one JVM, joined over loopback. */
@Tag("slow")
@Timeout(180)
class ClusterTest {
  private static final List<Role> SECURE = List.of(Role.INGEST, Role.ENRICH, Role.PERSIST);
  private static final List<Role> DMZ = List.of(Role.BROADCAST);

  private final String cluster = "test-" + System.nanoTime();
  private final int first = Ports.free();
  private final int second = Ports.free();
  private final List<Vertx> running = new ArrayList<>();

  private record Started(Vertx vertx, Bus bus) {}

  @AfterEach
  void stop() {
    running.forEach(vertx -> vertx.close().await());
  }

  @Test
  void aLiteMemberMayStartBeforeAndOutliveEveryDataMember() throws InterruptedException {
    Started dmz = start("dmz", DMZ, first, 4);
    BlockingQueue<Push> pushed = new LinkedBlockingQueue<>();
    dmz.bus.feed().onPush(push -> Future.succeededFuture().map(ok -> take(pushed, push)));
    assertTrue(dmz.bus.cluster().owner(Role.PERSIST, 0).isEmpty());

    for (int life = 1; life <= 3; life++) {
      Started secure = start("secure", SECURE, second, 4);
      secure.bus.feed().onFollow(0, f -> Future.succeededFuture(new Followed(f.since(), true)));
      Await.until(
          "the owner is seen", 60, () -> dmz.bus.cluster().owner(Role.PERSIST, 0).isPresent());
      Follow follow = new Follow(dmz.bus.cluster().self().id(), life, Position.none(0));
      assertTrue(dmz.bus.feed().follow(follow).await().complete());

      Batch batch = new Batch(0, 7, life, List.of(new Record("id", "a", 5, new byte[] {'{', '}'})));
      Push push = new Push(life, Position.none(0), batch.position(0), batch);
      secure.bus.feed().push(dmz.bus.cluster().self().id(), push).await();
      assertEquals(life, pushed.poll(60, TimeUnit.SECONDS).batch().firstOffset());

      secure.vertx.close().await();
      running.remove(secure.vertx);
      Await.until("the other has left", 60, () -> dmz.bus.cluster().members().size() == 1);
    }
  }

  private static Void take(BlockingQueue<Push> pushed, Push push) {
    pushed.add(push);
    return null;
  }

  @Test
  void aNodeThatIsStartingSaysSoAtOnce() {
    Started one = start("one", SECURE, first, 4);
    long asked = System.nanoTime();
    Refusal refusal =
        assertThrows(
            Refusal.class,
            () -> one.bus.feed().latest(new Ask(0, Position.none(0), "", 1_000)).await());
    assertEquals(Refusal.Why.NOT_READY, refusal.why());
    assertEquals("the node is starting", refusal.getMessage());
    assertTrue(System.nanoTime() - asked < TimeUnit.SECONDS.toNanos(30), "not by a timeout");
  }

  @Test
  void aNodeWithAnotherNumberOfShardsIsRefused() {
    start("one", SECURE, first, 4);
    ConfigException refused =
        assertThrows(ConfigException.class, () -> start("two", SECURE, second, 8));
    assertEquals(
        "node.shards: is 8, but node 'one' of the cluster has 4; give all nodes the same",
        refused.getMessage());
  }

  @Test
  void aNodeWithATakenNameIsRefused() {
    start("one", SECURE, first, 4);
    ConfigException refused =
        assertThrows(ConfigException.class, () -> start("one", DMZ, second, 4));
    assertEquals(
        "node.name: 'one' is taken by another node of the cluster; give each its own",
        refused.getMessage());
  }

  @Test
  void aBatchGoesToTheOwnerOfItsShard() {
    Started one = start("one", SECURE, first, 4);
    Started two = start("two", SECURE, second, 4);
    Await.until("both are open", 60, () -> areOpen(one, 2) && areOpen(two, 2));
    for (int shard = 0; shard < 4; shard++) {
      BlockingQueue<String> taken = new LinkedBlockingQueue<>();
      one.bus.persist().onSend(shard, batch -> took(taken, "one"));
      two.bus.persist().onSend(shard, batch -> took(taken, "two"));
      String owner = one.bus.cluster().owner(Role.PERSIST, shard).orElseThrow().name();
      assertEquals(owner, two.bus.cluster().owner(Role.PERSIST, shard).orElseThrow().name());
      one.bus.persist().send(Batch.unplaced(shard, List.of())).await();
      two.bus.persist().send(Batch.unplaced(shard, List.of())).await();
      assertEquals(List.of(owner, owner), List.copyOf(taken));
    }
  }

  /** As by a merge whose member died in it: without it the cluster would take nobody ever again. */
  @Test
  void aClusterThatAMergeHasClosedOpensAgain() throws Exception {
    start("one", SECURE, first, 4);
    HazelcastInstance one = hazelcast();
    assertEquals(OpenCluster.LOCK_MS, OpenCluster.locks().getTimeoutMillis());
    one.getCluster().changeClusterState(ClusterState.FROZEN);
    long closed = System.nanoTime();
    Started two = start("two", DMZ, second, 4);
    Await.until("both are members", 60, () -> two.bus.cluster().members().size() == 2);
    assertTrue(System.nanoTime() - closed < TimeUnit.SECONDS.toNanos(60));
    assertEquals(ClusterState.ACTIVE, one.getCluster().getClusterState());
  }

  /** The only one that has been started. */
  private HazelcastInstance hazelcast() {
    return Hazelcast.getAllHazelcastInstances().stream()
        .filter(member -> member.getConfig().getClusterName().equals(cluster))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aNodeThatIsShutOutSaysSoAndOneThatLeavesDoesNot() throws Exception {
    Started leaves = start("one", SECURE, first, 4);
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    leaves.bus.cluster().onShutOut(() -> told.add("one"));
    leaves.vertx.close().await();
    running.remove(leaves.vertx);
    Started stays = start("two", SECURE, second, 4);
    stays.bus.cluster().onShutOut(() -> told.add("two"));
    hazelcast().getLifecycleService().terminate();
    assertEquals("two", told.poll(60, TimeUnit.SECONDS));
  }

  private static boolean areOpen(Started node, int count) {
    return node.bus.cluster().members().stream().filter(m -> !m.isOpening()).count() == count;
  }

  private static Future<Void> took(BlockingQueue<String> taken, String by) {
    taken.add(by);
    return Future.succeededFuture();
  }

  private Started start(String name, List<Role> roles, int port, int shards) {
    NodeConfig node =
        new NodeConfig(name, roles, "unused", shards, 1, SocketTransport.AUTO, 60, 10_000);
    List<String> members = List.of("127.0.0.1:" + first, "127.0.0.1:" + second);
    ClusterConfig config =
        new ClusterConfig(
            members,
            cluster,
            "",
            "",
            1 << 26,
            "127.0.0.1",
            port,
            0,
            3,
            5_000,
            30_000,
            45,
            ClusterTlsConfig.none());
    GalopConfig galop =
        new GalopConfig(
            node, config, null, null, null, null, null, null, null, null, null, null, null, null,
            null);
    ClusterStart.Started started = ClusterStart.start(galop, name, new VertxOptions());
    running.add(started.vertx());
    if (roles.contains(Role.PERSIST)) {
      started.cluster().open();
    }
    return new Started(
        started.vertx(), Bus.open(started.vertx(), started.cluster(), galop.cluster()));
  }
}
