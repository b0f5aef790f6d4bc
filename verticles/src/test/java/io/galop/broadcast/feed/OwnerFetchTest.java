package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.TestFeed;
import io.galop.broadcast.hub.Budget;
import io.galop.broadcast.ring.Ring;
import io.galop.bus.Bus;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a node asks of an owner that is not there: often, and not when all others do. */
@Timeout(180)
class OwnerFetchTest {
  private static final int PAUSES = 9;
  private static final List<Integer> LONGEST_MS =
      List.of(150, 300, 600, 600, 600, 600, 600, 600, 600);

  private final Vertx vertx = Vertx.vertx();
  private final List<Long> pausesMs = new CopyOnWriteArrayList<>();

  /** Its timers are over at once. */
  private final Vertx quick =
      (Vertx)
          Proxy.newProxyInstance(
              Vertx.class.getClassLoader(),
              new Class<?>[] {Vertx.class},
              (proxy, method, args) -> {
                assertEquals("setTimer", method.getName());
                pausesMs.add((Long) args[0]);
                @SuppressWarnings("unchecked")
                Handler<Long> timer = (Handler<Long>) args[1];
                vertx.runOnContext(now -> timer.handle(1L));
                return 1L;
              });

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  @Test
  void pausesGrowAndDifferFromNodeToNode() throws Exception {
    GalopConfig config = ConfigLoader.parse("{}", "test.yaml");
    LocalCluster cluster = new LocalCluster("test", Set.of(Role.values()), 1);
    Bus bus = Bus.open(vertx, cluster, config.cluster());
    Ring ring = new Ring(config.broadcast().ring(), 1);
    Set<List<Long>> all = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      pausesMs.clear();
      OwnerFetch fetch =
          new OwnerFetch(
              quick,
              bus.feed(),
              ring,
              TopicFilter.parse("#", 9),
              Map.of(0, new Position(0, 1, 1)),
              Map.of(),
              Map.of(),
              new Budget(1));
      vertx.runOnContext(now -> fetch.start());
      Future<?> ended = fetch.result().transform(done -> Future.succeededFuture());
      TestFeed.await(ended);
      assertTrue(fetch.result().failed());
      assertEquals(PAUSES, pausesMs.size());
      for (int n = 0; n < PAUSES; n++) {
        long most = LONGEST_MS.get(n);
        assertTrue(pausesMs.get(n) >= most / 2 && pausesMs.get(n) <= most, pausesMs::toString);
      }
      all.add(List.copyOf(pausesMs));
    }
    assertTrue(all.size() > 1, "all in step: " + all);
  }
}
