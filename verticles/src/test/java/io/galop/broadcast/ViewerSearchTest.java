package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.BroadcastMeters;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Pacing;
import io.galop.broadcast.hub.Registration;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.galop.node.Reports;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Viewers of one event loop, found among many. */
@Timeout(120)
class ViewerSearchTest {
  private static final int VIEWERS = 20_000;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastConfig config =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
  private final Hub hub =
      new Hub(
          loop,
          new Ring(config.ring(), 1),
          1,
          new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test")),
          config);
  private final Reports reports = new Reports();

  @BeforeEach
  void start() throws Exception {
    reports.share(ViewerSearch.NAME, new ViewerSearch(this::hubs));
    TestFeed.onLoop(loop, () -> hub.attached(1, new BitSet(), (filter, isWatched) -> {}));
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private Future<List<Hub>> hubs() {
    return Future.succeededFuture(List.of(hub));
  }

  /** Takes all that is written to it. */
  private static final class Line extends ReadyTransport {
    private final String address;

    Line(String address) {
      this.address = address;
    }

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      return true;
    }

    @Override
    public String address() {
      return address;
    }
  }

  private Subscriber connect(Line line, String subject, String filter) {
    Subscriber viewer = new Subscriber(hub, line, 1 << 20);
    viewer.deliveries().whose().named(() -> subject);
    viewer.add(new Registration(viewer, TopicFilter.parse(filter, 99), Pacing.EVERY, true));
    hub.connected(viewer);
    return viewer;
  }

  private JsonObject ask(String report, String... parameters) throws Exception {
    Map<String, String> asked = new HashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      asked.put(parameters[i], parameters[i + 1]);
    }
    return TestFeed.await(reports.findShared(report).orElseThrow().answer(asked));
  }

  private static JsonObject only(JsonObject found) {
    assertEquals(1, found.getLong("matched"), found::encode);
    return found.getJsonArray("viewers").getJsonObject(0);
  }

  @Test
  void findsOneByEachOfItsMarks() throws Exception {
    TestFeed.onLoop(
        loop,
        () -> {
          for (int n = 0; n < 100; n++) {
            connect(new Line("/10.0.0." + n + ":9"), "s" + n + "@x", "race/" + n);
          }
          connect(new Line("/10.9.9.9:1"), "Anna", "horse/+");
        });
    JsonObject anna = only(ask(ViewerSearch.NAME, "find", "ANNA", "subjects", "true"));
    assertEquals(new JsonArray().add("subject"), anna.getJsonArray("by"));
    assertEquals("Anna", anna.getString("subject"));
    assertEquals(0, ask(ViewerSearch.NAME, "find", "anna").getLong("matched"), "not his to know");
    JsonObject hers = only(ask(ViewerSearch.NAME, "find", "10.9.9"));
    assertFalse(hers.containsKey("subject"));
    assertEquals(anna.getString("id"), hers.getString("id"));
    assertEquals("horse/+", hers.getJsonArray("filters").getString(0));
    only(ask(ViewerSearch.NAME, "find", hers.getString("id"), "by", "id"));
    only(ask(ViewerSearch.NAME, "find", "horse/1", "by", "topic"));
    assertEquals(0, ask(ViewerSearch.NAME, "find", "horse/1").getLong("matched"));
    only(ask(ViewerSearch.NAME, "find", "horse", "by", "filter"));
    JsonObject all = ask(ViewerSearch.NAME, "find", "", "limit", "7");
    assertEquals(101, all.getLong("matched"));
    assertEquals(7, all.getJsonArray("viewers").size());
  }

  /** What else is due on the event loop gets its turn while 20,000 viewers are looked at. */
  @Test
  void theLoopGoesOnMeanwhile() throws Exception {
    TestFeed.onLoop(
        loop,
        () -> {
          for (int n = 0; n < VIEWERS; n++) {
            connect(new Line("/10.0." + n / 250 + "." + n % 250 + ":9"), "s" + n, "race/" + n);
          }
        });
    AtomicInteger turns = new AtomicInteger();
    Future<JsonObject> asked =
        reports.findShared(ViewerSearch.NAME).orElseThrow().answer(Map.of("find", "no such"));
    tick(asked, turns);
    JsonObject none = TestFeed.await(asked);
    assertEquals(0, none.getLong("matched"));
    assertEquals(VIEWERS, none.getLong("connections"));
    assertTrue(turns.get() > 2, "it was held up to the end");
  }

  private void tick(Future<?> until, AtomicInteger turns) {
    hub.pulse()
        .later(
            () -> {
              if (!until.isComplete()) {
                turns.incrementAndGet();
                tick(until, turns);
              }
            });
  }
}
