package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.BroadcastMeters;
import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Pacing;
import io.galop.broadcast.hub.Registration;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which viewers are called stuck, by a clock that the test moves. */
@Timeout(120)
class MissingReportTest {
  private static final int VIEWERS = 20_000;
  private static final int OUTBOX = 1 << 16;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastConfig config =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
  private final Ring ring = new Ring(config.ring(), 1);
  private final BroadcastMeters meters =
      new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test"));
  private final Hub hub = new Hub(loop, ring, 1, meters, config);
  private final AtomicLong seconds = new AtomicLong();
  private final MissingReport report =
      new MissingReport(
          () -> Future.succeededFuture(List.of(hub)),
          meters,
          () -> TimeUnit.SECONDS.toNanos(seconds.get()));
  private int published;

  @BeforeEach
  void start() throws Exception {
    TestFeed.onLoop(loop, () -> hub.attached(0, new BitSet(), (filter, isWatched) -> {}));
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  /** Takes all that is written to it, or nothing. */
  private static final class Line extends ReadyTransport {
    private final boolean takes;
    private volatile boolean isFaulty;

    Line(boolean takes) {
      this.takes = takes;
    }

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      return takes;
    }

    @Override
    public boolean isReady() {
      return takes;
    }

    @Override
    public String address() {
      if (isFaulty) {
        throw new IllegalStateException("a fault of the test");
      }
      return takes ? "/10.0.0.1:9" : "/10.0.0.2:9";
    }
  }

  private Line connect(boolean takes, Pacing pacing) {
    Line line = new Line(takes);
    Subscriber viewer = new Subscriber(hub, line, OUTBOX);
    hub.connected(viewer);
    Registration registration = new Registration(viewer, TopicFilter.parse("a", 9), pacing, true);
    viewer.add(registration);
    hub.register(registration);
    return line;
  }

  private static Registration registration(Subscriber viewer, String filter) {
    return new Registration(viewer, TopicFilter.parse(filter, 9), Pacing.EVERY, true);
  }

  private void publish() {
    byte[] data = ("\"" + "x".repeat(2_000) + "\"").getBytes(StandardCharsets.US_ASCII);
    Record record = new Record("id" + ++published, "a", 1, data);
    Entry entry = Entry.of(new Position(0, 1, published), record);
    ring.append(entry);
    hub.append(List.of(entry));
  }

  private JsonObject ask() throws Exception {
    return TestFeed.await(report.answer(Map.of()));
  }

  private JsonObject stuckAfter20Seconds() throws Exception {
    JsonObject answer = new JsonObject();
    for (int looks = 0; looks <= 4; looks++) {
      answer = ask();
      seconds.addAndGet(5);
    }
    return answer.getJsonObject("stuck");
  }

  @Test
  void whoTakesNothingIsStuckAndWhoIsSentLessOnPurposeIsNot() throws Exception {
    TestFeed.onLoop(
        loop,
        () -> {
          connect(true, new Pacing(true, 0.01, 0));
          connect(true, new Pacing(false, 0, 1));
          connect(false, Pacing.EVERY);
          for (int n = 0; n < 100; n++) {
            publish();
          }
        });
    JsonObject stuck = stuckAfter20Seconds();
    assertEquals(1, stuck.getInteger("count"), stuck::encode);
    JsonObject one = stuck.getJsonArray("viewers").getJsonObject(0);
    assertEquals("/10.0.0.2:9", one.getString("address"));
    assertEquals("[\"a\"]", one.getJsonArray("filters").encode());
    assertTrue(one.getInteger("waiting") > 0, one::encode);
  }

  /** It comes back with its Positions, and may miss nothing. */
  @Test
  void whoIsSentAwayHasNotMissedAnythingYetAndIsOneHoweverMuchItMissesThen() throws Exception {
    TestFeed.onLoop(
        loop,
        () -> {
          connect(false, Pacing.EVERY);
          publish();
          Subscriber slow = hub.subscribers().get(0);
          hub.disconnect(slow, Disconnect.SLOW);
        });
    JsonObject first = ask();
    assertEquals(1, first.getJsonObject("sentAway").getInteger("count"), first::encode);
    assertEquals(0, first.getJsonObject("missed").getInteger("count"), first::encode);
    TestFeed.onLoop(
        loop,
        () -> {
          Subscriber back = new Subscriber(hub, new Line(true), OUTBOX);
          meters.incomplete(registration(back, "a"));
          meters.incomplete(registration(back, "b"));
        });
    JsonObject missed = ask().getJsonObject("missed");
    assertEquals(1, missed.getInteger("count"), missed::encode);
    assertEquals(2, missed.getJsonArray("viewers").getJsonObject(0).getJsonArray("filters").size());
  }

  @Test
  void aLookThatFailsIsAnAnswerAndTheNextOneIsAsked() throws Exception {
    Line[] line = new Line[1];
    TestFeed.onLoop(
        loop,
        () -> {
          line[0] = connect(false, Pacing.EVERY);
          publish();
        });
    line[0].isFaulty = true;
    assertThrows(ExecutionException.class, this::stuckAfter20Seconds);
    assertThrows(ExecutionException.class, this::ask);
    line[0].isFaulty = false;
    assertEquals(1, ask().getJsonObject("stuck").getInteger("count"));
  }

  /** What else is due on the event loop gets its turn while 20,000 viewers are looked at. */
  @Test
  void theLoopGoesOnMeanwhile() throws Exception {
    TestFeed.onLoop(
        loop,
        () -> {
          for (int n = 0; n < VIEWERS; n++) {
            connect(false, Pacing.EVERY);
          }
          publish();
        });
    AtomicInteger turns = new AtomicInteger();
    Future<JsonObject> asked = report.answer(Map.of());
    tick(asked, turns);
    TestFeed.await(asked);
    assertTrue(turns.get() > 2, "it was held up to the end");
  }

  private void tick(Future<?> until, AtomicInteger turns) {
    hub.pulse() // what is posted again and again has a second of the loop at a time
        .later(
            () -> {
              if (!until.isComplete()) {
                turns.incrementAndGet();
                tick(until, turns);
              }
            });
  }
}
