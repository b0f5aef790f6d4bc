package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.delta.DeltaReader;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Transport;
import io.galop.broadcast.write.Tally;
import io.galop.broadcast.write.Tally.Count;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever happens to viewers that take deltas, each message that they make of what they are sent
 * is to the byte what others are sent of the record.
 */
@Timeout(180)
class DeltaViewersTest {
  private static final String[] TOPICS = {"a", "b", "t/1", "t/2", "t/3", "u/ü"};
  private static final Set<String> ODDS = Set.of("odds");
  private static final String[] FILTERS = {"a", "b", "t/#", "t/1", "+/1", "#"};

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastMeters meters =
      new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test"));

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  @Test
  void makeOfDeltasWhatOthersAreSent() throws Exception {
    long worlds = Boolean.getBoolean("galop.long") ? 1000 : 30;
    long deltas = 0;
    long records = 0;
    for (int seed = 0; seed < worlds; seed++) {
      World world = new World(seed);
      for (int step = 0; step < 1000; step += 10) {
        onLoop(() -> world.steps(10));
      }
      onLoop(world::endAll);
      LiveClient.await("the end", () -> world.tally.waiting() == 0);
      assertEquals(List.of(), world.wrong, "seed " + seed);
      deltas += world.deltas;
      records += world.records;
      assertTrue(world.deltas <= world.tally.get(Count.DELTAS), "what was lost is counted too");
    }
    System.out.println("deltas: " + deltas + " of " + records + " records");
    assertTrue(deltas > records / 4, deltas + " of " + records + " are deltas");
  }

  private void onLoop(Runnable task) throws Exception {
    TestFeed.onLoop(loop, task);
  }

  /** Takes at once, later, or never, as it is told; reads what it is sent as a client does. */
  private static final class Browser implements Transport {
    private record Held(Receipt receipt, int size, int records) {}

    private final World world;
    private final DeltaReader reader = new DeltaReader();
    private final List<Held> held = new ArrayList<>();
    private boolean isOpen = true;
    private boolean isGone;

    Browser(World world) {
      this.world = world;
    }

    @Override
    public String kind() {
      return "test";
    }

    @Override
    public boolean write(Frames bundle, Receipt receipt) {
      if (isGone) {
        receipt.onLeft(bundle.size(), bundle.records(), false);
        return false;
      }
      for (Frame frame : bundle.frames()) {
        String text = frame.writeText(Unpooled.buffer()).toString(StandardCharsets.UTF_8);
        try {
          read(text, frame.isRecord());
        } catch (RuntimeException | AssertionError wrong) {
          world.wrong.add(text + ": " + wrong);
        }
      }
      if (!isOpen) {
        held.add(new Held(receipt, bundle.size(), bundle.records()));
      }
      return isOpen;
    }

    private void read(String text, boolean isRecord) {
      String message = reader.read(text);
      assertEquals(isRecord, message.startsWith("{\"type\":\"rec\""), message);
      JsonObject json = new JsonObject(message);
      boolean isPast = isRecord && json.getJsonObject("headers").containsKey("age");
      if (isRecord && !isPast) {
        String id = json.getJsonObject("body").getString("id");
        String opening = "{\"type\":\"rec\",\"address\":\"" + json.getString("address");
        String whole = opening + "\",\"body\":" + world.texts.get(id);
        if (data(json).containsKey("name")) {
          assertEquals(whole, message);
        } else {
          assertEquals(ODDS, data(json).fieldNames());
          assertEquals(data(new JsonObject(whole)).getValue("odds"), data(json).getValue("odds"));
        }
        world.records++;
      }
    }

    private static JsonObject data(JsonObject message) {
      return message.getJsonObject("body").getJsonObject("data");
    }

    @Override
    public boolean isReady() {
      return isOpen;
    }

    @Override
    public void onBeat() {}

    @Override
    public void close(Ending why) {
      isGone = true;
    }

    void letGo(int count, boolean isSent) {
      for (int i = 0; i < count && !held.isEmpty(); i++) {
        Held first = held.remove(0);
        first.receipt.onLeft(first.size, first.records, isSent);
      }
    }
  }

  /** A node with some viewers, to whom anything may happen. */
  private final class World {
    private final Random random;
    private final Ring ring;
    private final Hub hub;
    private final Tally tally;
    private final Map<Subscriber, Browser> viewers = new HashMap<>();
    private final Map<String, Entry> latest = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();
    private final List<Registration> asking = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private long offset;
    private long records;
    private long deltas;

    World(long seed) {
      random = new Random(seed);
      List<String> settings =
          List.of(
              "broadcast.maxWaitingTopics=3",
              "broadcast.ring.maxRecords=64",
              "broadcast.snapshotStallMs=100",
              "broadcast.maxTickMs=" + (seed % 2) * 5);
      BroadcastConfig config =
          ConfigLoader.load(Optional.empty(), Map.of(), settings, Map.of()).broadcast();
      ring = new Ring(config.ring(), 1);
      hub = new Hub(loop, ring, 1, meters, config);
      tally = hub.tally();
    }

    void steps(int count) {
      for (int i = 0; i < count; i++) {
        step();
      }
    }

    private void step() {
      int what = random.nextInt(100);
      if (what < 50) {
        publish(1 + random.nextInt(4));
      } else if (what < 54 && viewers.size() < 8) {
        connect(600);
      } else if (what < 64) {
        any().ifPresent(this::register);
      } else if (what < 67) {
        any()
            .flatMap(viewer -> viewer.registrations().stream().findAny())
            .ifPresent(hub::unregister);
      } else if (what < 78) {
        any().map(viewers::get).ifPresent(browser -> browser.isOpen = random.nextInt(3) > 0);
      } else if (what < 80) {
        any().ifPresent(this::reselect);
      } else if (what < 94) {
        any().map(viewers::get).ifPresent(browser -> browser.letGo(random.nextInt(8), true));
      } else if (what < 95) {
        gap();
      } else if (what < 96) {
        any().ifPresent(this::end);
      } else if (!asking.isEmpty()) {
        Registration registration = asking.remove(random.nextInt(asking.size()));
        hub.joined(registration, snapshot(registration, Optional.empty(), ring.next()));
      }
    }

    /** One of a viewer's registrations is sent all from now on, or the odds only. */
    private void reselect(Subscriber viewer) {
      for (Registration registration : viewer.registrations().stream().limit(1).toList()) {
        Selection odds = Selection.ALL.showing(ODDS);
        registration.wish(random.nextInt(3) > 0 ? Selection.ALL : odds);
        registration.pace(PacingTest.any(random));
        hub.reselect(viewer, registration);
      }
    }

    private Optional<Subscriber> any() {
      return viewers.isEmpty()
          ? Optional.empty()
          : viewers.keySet().stream().skip(random.nextInt(viewers.size())).findFirst();
    }

    /** The next record, which the node has as the latest from now on. */
    private Entry entry(String topic) {
      Position position = new Position(0, 1, ++offset);
      String data =
          "{\"odds\":"
              + random.nextInt(400) / 100.0
              + ",\"name\":\"Möwe 🐎 's\",\"volume\":"
              + random.nextInt(1_000_000)
              + "}";
      String id = "file:" + offset + "#1";
      Record record = new Record(id, topic, 1_000 * offset, data.getBytes(StandardCharsets.UTF_8));
      Entry entry = Entry.of(position, record);
      texts.put(id, new String(entry.remainder(), StandardCharsets.UTF_8));
      if (random.nextInt(60) == 0) {
        entry.repeats(1);
      }
      Entry before = latest.put(topic, entry);
      if (before != null && random.nextInt(80) == 0) {
        before.forgotten();
        before = null;
      }
      entry.becomesLatest(before);
      return entry;
    }

    private void publish(int count) {
      List<Entry> entries = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Entry entry = entry(TOPICS[random.nextInt(TOPICS.length)]);
        if (random.nextInt(15) == 0) {
          Entry word = Entry.stale(entry.topic(), 0, System.nanoTime());
          ring.append(word);
          entries.add(word);
        }
        ring.append(entry);
        entries.add(entry);
      }
      hub.append(entries);
    }

    private void connect(int outboxBytes) {
      Browser browser = new Browser(this);
      Subscriber viewer = new Subscriber(hub, browser, outboxBytes);
      viewers.put(viewer, browser);
      hub.connected(viewer);
    }

    private void register(Subscriber viewer) {
      String filter = FILTERS[random.nextInt(FILTERS.length)];
      if (viewer.isEnded() || viewer.registration(filter) != null) {
        return;
      }
      Pacing pacing = PacingTest.any(random);
      boolean isDelta = random.nextInt(5) > 0;
      Registration registration =
          new Registration(
              viewer,
              TopicFilter.parse(filter, 100),
              pacing,
              random.nextBoolean(),
              Selection.ALL,
              isDelta);
      registration.onAskAgain(() -> asking.add(registration));
      viewer.add(registration);
      int way = random.nextInt(3);
      if (way == 0) {
        hub.register(registration);
      } else if (way == 1) {
        hub.joined(registration, snapshot(registration, Optional.empty(), ring.next()));
      } else {
        long from = ring.first() + random.nextInt((int) (ring.next() - ring.first()) + 1);
        hub.joined(registration, snapshot(registration, Optional.of(true), from));
      }
    }

    /** Many topics, each but once, and four that come again and again, at times after long. */
    private void numbered(int from, int to) {
      for (int n = from; n < to; n++) {
        String often = "often/" + (n < 34_000 ? n % 3 : n % 4);
        for (String topic : List.of(often, "once/" + n)) {
          Entry entry = entry(topic);
          ring.append(entry);
          hub.append(List.of(entry));
        }
      }
    }

    private Joined snapshot(Registration registration, Optional<Boolean> complete, long from) {
      List<Entry> entries =
          complete.isPresent()
              ? List.of()
              : latest.values().stream()
                  .filter(entry -> registration.filter().matches(entry.topic()))
                  .toList();
      Map<Integer, Position> seen =
          random.nextBoolean() ? Map.of() : Map.of(0, new Position(0, 1, offset - 3));
      return new Joined(complete, entries, from, ring.next(), seen, List.of(), false, () -> {});
    }

    /** Records that only the owner had make up for what is missing. */
    private void gap() {
      entry("a");
      entry("t/1");
      hub.gap(new Position(0, 1, offset), List.copyOf(latest.values()), false);
    }

    private void end(Subscriber viewer) {
      Browser browser = viewers.remove(viewer);
      browser.isGone = true;
      hub.closed(viewer);
      browser.letGo(Integer.MAX_VALUE, false);
      deltas += browser.reader.deltas();
    }

    void endAll() {
      List.copyOf(viewers.keySet()).forEach(this::end);
    }
  }

  /** A number that stands for another topic by now is not taken for the one it stood for. */
  @Test
  void numbersOfTopicsComeAgain() throws Exception {
    World world = new World(1);
    onLoop(
        () -> {
          world.connect(1 << 28);
          Subscriber viewer = world.viewers.keySet().iterator().next();
          Registration all =
              new Registration(
                  viewer, TopicFilter.parse("#", 9), Pacing.EVERY, true, Selection.ALL, true);
          viewer.add(all);
          world.hub.register(all);
        });
    for (int from = 0; from < 36_000; from += 500) {
      int first = from;
      onLoop(() -> world.numbered(first, first + 500));
    }
    onLoop(world::endAll);
    assertEquals(List.of(), world.wrong);
    assertTrue(world.deltas > 30_000, world.deltas + " deltas of " + world.records);
  }
}
