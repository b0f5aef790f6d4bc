package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Transport;
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
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A registration is sent its records more and less often while its line is open and is not. */
@Timeout(120)
class PacingTest {
  private static final int SEEDS = 30;
  private static final int STEPS = 600;

  /** Beyond twice of that, answers end the connection. */
  private static final int OUTBOX_BYTES = 600;

  private static final String[] TOPICS = {"a", "b", "c/1", "c/2", "c/3"};
  private static final List<Pacing> PACINGS =
      List.of(
          Pacing.EVERY,
          Pacing.EVERY,
          new Pacing(false, 1000, 0),
          new Pacing(false, 20, 0),
          new Pacing(true, 0, 0));
  private static final List<Caps> CAPS = List.of(caps(), caps(), caps("c/#", "b"), caps("#"));

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastMeters meters =
      new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test"));

  /** Every record, more often than not. */
  static Pacing any(Random random) {
    return random.nextInt(3) > 0 ? Pacing.EVERY : new Pacing(true, random.nextInt(2) * 500, 0);
  }

  private static Caps caps(String... filters) {
    return new Caps(
        Arrays.stream(filters).map(one -> new Cap(TopicFilter.parse(one, 9), 500, 0)).toList());
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private void onLoop(Runnable task) throws Exception {
    TestFeed.onLoop(loop, task);
  }

  /**
   * Every topic comes in its order, and ends with its newest. Between the answer that every record
   * comes and the next wish no record is missing. Where more topics wait than may there are
   * snapshots, else none.
   */
  @ParameterizedTest
  @ValueSource(ints = {100, 3})
  void nothingIsMissingNorComesTwiceNorOutOfItsOrder(int maxWaitingTopics) throws Exception {
    int snapshots = 0;
    int updates = 0;
    int conflated = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      World world = new World(seed, maxWaitingTopics);
      for (int step = 0; step < STEPS; step += 100) {
        onLoop(() -> world.steps(100));
        Thread.sleep(2);
      }
      onLoop(world::openForGood);
      for (int i = 0; i < 2000 && !world.isEverythingSent(); i++) {
        Thread.sleep(2);
      }
      assertTrue(world.isEverythingSent(), world::toString);
      assertEquals(List.of(), world.line.wrong, "seed " + seed);
      assertEquals(world.wished, world.line.updates);
      snapshots += world.snapshots;
      updates += world.line.updates;
      conflated += (int) world.viewer.deliveries().conflated();
    }
    assertTrue(updates > SEEDS, updates + " updates");
    assertTrue(conflated > SEEDS, conflated + " conflated");
    assertEquals(maxWaitingTopics < TOPICS.length, snapshots > 0, snapshots + " snapshots");
  }

  /** The answer follows on what waits, which is given up when only the newest is wanted again. */
  @Test
  void anAnswerComesThoughWhatItFollowsOnIsGivenUp() throws Exception {
    World world = new World(1, 100);
    Pacing newest = new Pacing(true, 0, 0);
    onLoop(
        () -> {
          world.pace(newest);
          world.line.isOpen = false;
          for (int i = 0; i < 20; i++) {
            world.publish(TOPICS[i % TOPICS.length]);
          }
          world.pace(Pacing.EVERY);
          world.pace(newest);
          long conflated = world.viewer.deliveries().conflated();
          assertTrue(world.viewer.outlasts(-1, world.ring.first()));
          assertTrue(world.viewer.deliveries().conflated() > conflated, "it is given up");
          world.openForGood();
        });
    for (int i = 0; i < 2000 && !world.isEverythingSent(); i++) {
      Thread.sleep(2);
    }
    assertTrue(world.isEverythingSent(), world::toString);
    assertEquals(List.of(), world.line.wrong);
  }

  /** Takes at once, later, or never, as it is told; looks at what it is sent. */
  private static final class Line implements Transport {
    private record Held(Receipt receipt, int size, int records) {}

    private final List<Held> held = new ArrayList<>();
    private final Map<String, Long> last = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private boolean isOpen = true;
    private boolean isEvery;
    private long before;
    private int updates;
    private final World world;

    Line(World world) {
      this.world = world;
    }

    @Override
    public String kind() {
      return "test";
    }

    @Override
    public boolean write(Frames bundle, Receipt receipt) {
      for (Frame frame : bundle.frames()) {
        String text = frame.writeText(Unpooled.buffer()).toString(StandardCharsets.UTF_8);
        read(new JsonObject(text));
      }
      if (!isOpen) {
        held.add(new Held(receipt, bundle.size(), bundle.records()));
      }
      return isOpen;
    }

    private void read(JsonObject message) {
      if (message.getString("type").equals("updated")) {
        updates++;
        isEvery =
            updates == world.wished
                && world.registration.pacing().equals(Pacing.EVERY)
                && message.getJsonObject("body").isEmpty();
        before = 0;
      } else if (message.getString("type").equals("capped")) {
        isEvery = false;
      } else if (message.getString("type").equals("rec")) {
        JsonObject headers = message.getJsonObject("headers");
        long offset = Long.parseLong(headers.getString("pos").replaceAll(".*-", ""));
        boolean isPast = headers.containsKey("age");
        Long previous = last.put(headers.getString("topic"), offset);
        boolean isInOrder =
            previous == null || previous < offset || previous == offset && world.snapshots > 0;
        if (!isInOrder) {
          wrong.add(message + " behind " + previous);
        }
        if (isEvery && !isPast && before > 0 && offset != before + 1) {
          wrong.add(message + " behind " + before + " of all");
        }
        before = isPast ? before : offset;
      }
    }

    @Override
    public boolean isReady() {
      return isOpen;
    }

    @Override
    public void onBeat() {}

    @Override
    public void close(Ending why) {
      wrong.add("closed: " + why);
    }

    void letGo(int count) {
      for (int i = 0; i < count && !held.isEmpty(); i++) {
        Held first = held.remove(0);
        first.receipt.onLeft(first.size, first.records, true);
      }
    }
  }

  /** A node with one viewer of all its topics. */
  private final class World {
    private final long seed;
    private final Random random;
    private final Ring ring;
    private final Hub hub;
    private final Line line = new Line(this);
    private final Subscriber viewer;
    private final Registration registration;
    private final Map<String, Entry> latest = new HashMap<>();
    private long offset;
    private int wished;
    private int snapshots;

    World(long seed, int maxWaitingTopics) throws Exception {
      this.seed = seed;
      random = new Random(seed);
      List<String> settings =
          List.of("broadcast.maxWaitingTopics=" + maxWaitingTopics, "broadcast.maxTickMs=0");
      BroadcastConfig config =
          ConfigLoader.load(Optional.empty(), Map.of(), settings, Map.of()).broadcast();
      ring = new Ring(config.ring(), 1);
      hub = new Hub(loop, ring, 1, meters, config);
      viewer = new Subscriber(hub, line, OUTBOX_BYTES);
      registration = new Registration(viewer, TopicFilter.parse("#", 9), Pacing.EVERY, true);
      registration.onAskAgain(() -> hub.post(this::answer));
      onLoop(
          () -> {
            hub.attached(ring.next(), new BitSet(), (filter, isWatched) -> {});
            hub.connected(viewer);
            viewer.add(registration);
            hub.register(registration);
          });
    }

    private void answer() {
      snapshots++;
      List<Entry> all = List.copyOf(latest.values());
      Map<Integer, Position> seen = Map.of();
      hub.joined(
          registration,
          new Joined(
              Optional.empty(), all, ring.next(), ring.next(), seen, List.of(), false, () -> {}));
    }

    void steps(int count) {
      for (int i = 0; i < count; i++) {
        int what = random.nextInt(100);
        if (what < 55) {
          publish(TOPICS[random.nextInt(TOPICS.length)]);
        } else if (what < 65) {
          line.isOpen = random.nextInt(3) == 0;
        } else if (what < 92) {
          line.letGo(random.nextInt(4));
        } else if (what < 94 && viewer.deliveries().bytes() <= OUTBOX_BYTES) {
          viewer.cap(CAPS.get(random.nextInt(CAPS.size())));
        } else if (what < 97 && viewer.deliveries().bytes() <= OUTBOX_BYTES) {
          pace(PACINGS.get(random.nextInt(PACINGS.size())));
        } else {
          viewer.pump();
        }
      }
    }

    private void publish(String topic) {
      Position position = new Position(0, 1, ++offset);
      byte[] data = "{\"x\":1}".getBytes(StandardCharsets.UTF_8);
      Entry entry = Entry.of(position, new Record("id" + offset, topic, 1, data));
      ring.append(entry);
      latest.put(topic, entry);
      hub.append(List.of(entry));
    }

    private void pace(Pacing pacing) {
      line.isEvery = false;
      wished++;
      registration.pace(pacing);
      hub.reselect(viewer, registration);
    }

    void openForGood() {
      line.isOpen = true;
      line.letGo(Integer.MAX_VALUE);
      pace(PACINGS.get(random.nextInt(PACINGS.size())));
    }

    boolean isEverythingSent() {
      return line.updates == wished
          && viewer.waiting() == 0
          && latest.entrySet().stream()
              .allMatch(each -> isLast(each.getKey(), each.getValue().position().offset()));
    }

    @Override
    public String toString() {
      return "%s: updates %d of %d, %d wait, %d snapshots, last %s of %s, behind %d, joining %s, conflating %s %s"
          .formatted(
              seed,
              line.updates,
              wished,
              viewer.waiting(),
              snapshots,
              line.last,
              latest.keySet().stream()
                  .map(k -> k + "=" + latest.get(k).position().offset())
                  .toList(),
              viewer.behind(),
              registration.isJoining(),
              registration.isConflating(),
              line.wrong);
    }

    private boolean isLast(String topic, long newest) {
      return Long.valueOf(newest).equals(line.last.get(topic));
    }
  }
}
