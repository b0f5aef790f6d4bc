package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Pacing;
import io.galop.broadcast.hub.Registration;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.node.Acts;
import io.galop.node.Reports;
import io.galop.record.TopicFilter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Viewers of one event loop, found among many, and looked at. */
@Timeout(120)
class ViewerSearchTest {
  private static final int VIEWERS = 20_000;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Hub hub = TestFeed.hub(loop);
  private final Reports reports = new Reports();
  private final Acts acts = new Acts();
  private final List<Acts.Act> told = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    acts.listen(told::add);
    reports.share(ViewerSearch.NAME, new ViewerSearch(vertx, this::hubs));
    TestFeed.onLoop(loop, () -> hub.attached(1, new BitSet(), (filter, isWatched) -> {}));
  }

  private void looks(long idleMs) {
    new ViewerLooks(vertx, acts, this::hubs, idleMs).share(reports);
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
    private final AtomicInteger written = new AtomicInteger();

    Line(String address) {
      this.address = address;
    }

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      written.addAndGet(frames.frames().length);
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
    tick(asked, turns::incrementAndGet);
    JsonObject none = TestFeed.await(asked);
    assertEquals(0, none.getLong("matched"));
    assertEquals(VIEWERS, none.getLong("connections"));
    assertTrue(turns.get() > 2, "it was held up to the end");
  }

  private void tick(Future<?> until, Runnable turn) {
    hub.pulse()
        .later(
            () -> {
              if (!until.isComplete()) {
                turn.run();
                tick(until, turn);
              }
            });
  }

  /** Each takes longer to say its address than a turn may take. */
  private static final class SlowLine extends ReadyTransport {
    private final AtomicInteger told;

    SlowLine(AtomicInteger told) {
      this.told = told;
    }

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      return true;
    }

    @Override
    public String address() {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      told.incrementAndGet();
      return "";
    }
  }

  /** Also while what is shown of many is put together. */
  @Test
  void theLoopGoesOnWhileTheyAreTold() throws Exception {
    AtomicInteger told = new AtomicInteger();
    TestFeed.onLoop(
        loop,
        () -> {
          for (int n = 0; n < 50; n++) {
            hub.connected(new Subscriber(hub, new SlowLine(told), 1 << 20));
          }
        });
    int before = told.get();
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    Future<JsonObject> asked =
        reports.findShared(ViewerSearch.NAME).orElseThrow().answer(Map.of("find", ""));
    tick(asked, () -> seen.add(told.get()));
    assertEquals(50, TestFeed.await(asked).getJsonArray("viewers").size());
    assertEquals(before + 50, told.get());
    assertTrue(seen.size() > 25, () -> "it went on only at " + seen);
  }

  @Test
  void showsTheLastMessagesOfOne() throws Exception {
    looks(60_000);
    Line line = new Line("/10.0.0.1:9");
    Subscriber[] one = new Subscriber[1];
    TestFeed.onLoop(loop, () -> one[0] = connect(line, "anna", "a"));
    String id = one[0].deliveries().whose().id();
    JsonObject begun = ask(ViewerLooks.BEGIN, "id", id, "operator", "olga", "through", "n");
    String look = begun.getString("look");
    assertEquals("anna", begun.getString("subject"));
    ask(ViewerLooks.BEGIN, "id", id, "operator", "otto");
    String wide = "ü".repeat(FrameTap.MOST_TEXT_BYTES);
    TestFeed.onLoop(
        loop,
        () -> {
          for (int n = 0; n < 2 * FrameTap.MOST_FRAMES; n++) {
            one[0].tell(Frame.ofControl("{\"n\":" + n + "}"));
          }
          one[0].tell(Frame.ofControl("x" + wide));
        });
    LiveClient.await("all have left", () -> line.written.get() == 101);
    JsonObject frames = ask(ViewerLooks.FRAMES, "look", look, "operator", "olga");
    assertEquals(101, frames.getLong("written"));
    assertEquals(FrameTap.MOST_FRAMES, frames.getJsonArray("frames").size());
    JsonObject newest = frames.getJsonArray("frames").getJsonObject(0);
    assertEquals("x" + "ü".repeat(511), newest.getString("text"), "no half letter");
    assertTrue(newest.getBoolean("cut"));
    assertEquals("{\"n\":99}", frames.getJsonArray("frames").getJsonObject(1).getString("text"));
    JsonObject foreign = ask(ViewerLooks.FRAMES, "look", look, "operator", "otto");
    assertEquals(new JsonObject(), foreign, "it is another's");
    assertEquals(2, told.size());
    assertEquals("anna", told.get(0).parameters().get("subject"));
    assertEquals("olga", told.get(0).parameters().get("operator"));
  }

  /** So nothing stands in the way of whoever is not looked at. */
  @Test
  void aLookThatNobodyAsksForEndsByItself() throws Exception {
    looks(1);
    Subscriber[] one = new Subscriber[1];
    TestFeed.onLoop(loop, () -> one[0] = connect(new Line("/10.0.0.1:9"), "anna", "a"));
    String id = one[0].deliveries().whose().id();
    String first = ask(ViewerLooks.BEGIN, "id", id, "operator", "olga").getString("look");
    String second = ask(ViewerLooks.BEGIN, "id", id, "operator", "otto").getString("look");
    awaitUntapped(one[0]);
    assertEquals(new JsonObject(), ask(ViewerLooks.FRAMES, "look", first, "operator", "olga"));
    assertEquals(new JsonObject(), ask(ViewerLooks.FRAMES, "look", second, "operator", "otto"));
  }

  private void awaitUntapped(Subscriber one) throws Exception {
    boolean[] isTapped = {true};
    LiveClient.await(
        "it ends by itself",
        () -> {
          try {
            TestFeed.onLoop(
                loop,
                () ->
                    one.deliveries()
                        .reroute(
                            way -> {
                              isTapped[0] = way instanceof FrameTap;
                              return way;
                            }));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
          return !isTapped[0];
        });
  }

  @Test
  void endsOneConnectionAndSaysSo() throws Exception {
    looks(30_000);
    Subscriber[] all = new Subscriber[2];
    TestFeed.onLoop(
        loop,
        () -> {
          all[0] = connect(new Line("/10.0.0.1:9"), "anna", "a");
          all[1] = connect(new Line("/10.0.0.2:9"), "anna", "a");
        });
    assertEquals(new JsonObject(), ask(ViewerLooks.END, "id", "nobody"));
    String id = all[0].deliveries().whose().id();
    assertEquals(1, ask(ViewerLooks.END, "id", id, "operator", "olga").getInteger("ended"));
    assertTrue(all[0].isEnded());
    assertFalse(all[1].isEnded());
    assertEquals(List.of(ViewerLooks.END), told.stream().map(Acts.Act::action).toList());
  }
}
