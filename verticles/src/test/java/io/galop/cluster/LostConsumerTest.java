package io.galop.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.multimap.MultiMap;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.e2e.Await;
import io.galop.servers.Ports;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two nodes in one JVM, of which one has a consumer as a verticle of a user has; somebody else
 * takes it out of the cluster's map, as merges of a split cluster have done.
 */
@Tag("slow")
@Timeout(180)
class LostConsumerTest {
  private static final String ADDRESS = "plant.pumps";

  private final String cluster = "test-" + System.nanoTime();
  private final List<String> members =
      List.of("127.0.0.1:" + Ports.free(), "127.0.0.1:" + Ports.free());
  private final List<Vertx> running = new ArrayList<>();
  private ClusterStart.Started one;
  private ClusterStart.Started two;
  private MultiMap<String, Object> consumers;

  @BeforeEach
  void start() {
    one = start("one", 0);
    two = start("two", 1);
    two.vertx()
        .eventBus()
        .<String>consumer(ADDRESS, asked -> asked.reply("here"))
        .completion()
        .await();
    HazelcastInstance other =
        Hazelcast.getAllHazelcastInstances().stream()
            .filter(member -> member.getConfig().getClusterName().equals(cluster))
            .findFirst()
            .orElseThrow();
    consumers = other.getMultiMap("__vertx.subs");
    assertEquals("here", ask());
  }

  private ClusterStart.Started start(String name, int member) {
    String port = members.get(member).replaceAll(".*:", "");
    List<String> sets =
        List.of(
            "node.name=" + name,
            "cluster.name=" + cluster,
            "cluster.members=[" + String.join(",", members) + "]",
            "cluster.host=127.0.0.1",
            "cluster.port=" + port,
            "cluster.busPort=0");
    GalopConfig config = ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
    ClusterStart.Started started = ClusterStart.start(config, name, new VertxOptions());
    running.add(started.vertx());
    started.cluster().open();
    return started;
  }

  @AfterEach
  void stop() {
    running.forEach(vertx -> vertx.close().await());
  }

  private String ask() {
    return one.vertx()
        .eventBus()
        .<String>request(ADDRESS, "?")
        .map(answer -> answer.body())
        .otherwise("nobody")
        .await();
  }

  @Test
  void aConsumerThatTheClusterHasLostIsEnteredAgain() {
    assertFalse(consumers.remove(ADDRESS).isEmpty());
    Await.until(
        "it is entered again",
        120,
        () -> two.cluster().lostConsumers() > 0 && ask().equals("here"));
    assertEquals(1, consumers.get(ADDRESS).size());
    assertEquals(1, two.cluster().lostConsumers());
    assertEquals(0, one.cluster().lostConsumers());
  }

  @Test
  void aNodeWhoseConsumersTheClusterDoesNotKeepHasToGo() {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    one.cluster().onShutOut(() -> told.add("one"));
    two.cluster().onShutOut(() -> told.add("two"));
    Await.until(
        "the node gives up", 120, () -> consumers.remove(ADDRESS) != null && !told.isEmpty());
    assertEquals(List.of("two"), List.copyOf(told));
    assertTrue(two.cluster().lostConsumers() > 0);
  }
}
