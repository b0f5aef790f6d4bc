package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Transport;
import io.galop.broadcast.write.Outbox;
import io.galop.broadcast.write.Tally;
import io.galop.broadcast.write.Tally.Count;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever happens, each published record is sent, conflated, dropped, or waits. */
@Timeout(180)
class DeliveriesTest {
  private static final String[] TOPICS = {"a", "b", "t/1", "t/2", "t/3", "u/1"};
  private static final String[] FILTERS = {"a", "b", "t/#", "t/1", "+/1", "#"};
  private static final int STEPS = 1500;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastMeters meters =
      new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test"));

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  @Test
  void alwaysAddUp() throws Exception {
    long longest = Boolean.getBoolean("galop.long") ? 400 : 40;
    for (int seed = 0; seed < longest; seed++) {
      World world = new World(seed);
      for (int step = 0; step < STEPS; step += 100) {
        onLoop(() -> world.steps(100));
      }
      onLoop(world::endAll);
      LiveClient.await("the end", () -> world.tally.waiting() == 0);
    }
  }

  private void onLoop(Runnable task) throws Exception {
    TestFeed.onLoop(loop, task);
  }

  /** Takes at once, later, or never, as it is told. */
  private static final class Whim implements Transport {
    @Override
    public String kind() {
      return "test";
    }

    private record Held(Receipt receipt, int size, int records) {}

    private final List<Held> held = new ArrayList<>();
    private boolean isOpen = true;
    private boolean isGone;

    @Override
    public boolean write(Frames bundle, Receipt receipt) {
      if (isGone) {
        receipt.onLeft(bundle.size(), bundle.records(), false);
        return false;
      }
      if (!isOpen) {
        held.add(new Held(receipt, bundle.size(), bundle.records()));
      }
      return isOpen;
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
    private final Map<Subscriber, Whim> viewers = new HashMap<>();
    private final List<Subscriber> ended = new ArrayList<>();
    private final Map<String, Entry> latest = new HashMap<>();
    private final List<Registration> asking = new ArrayList<>();
    private long offset;

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
        check();
      }
    }

    private void step() {
      int what = random.nextInt(100);
      if (what < 45) {
        publish(1 + random.nextInt(4));
      } else if (what < 50 && viewers.size() < 8) {
        connect();
      } else if (what < 60) {
        any().ifPresent(this::register);
      } else if (what < 62) {
        any().ifPresent(viewer -> anyOf(viewer).ifPresent(one -> pace(viewer, one)));
      } else if (what < 66) {
        any().flatMap(this::anyOf).ifPresent(hub::unregister);
      } else if (what < 78) {
        any().map(viewers::get).ifPresent(whim -> whim.isOpen = random.nextInt(3) > 0);
      } else if (what < 92) {
        any().map(viewers::get).ifPresent(whim -> whim.letGo(random.nextInt(5), true));
      } else if (what < 94) {
        gap();
      } else if (what < 95) {
        any().ifPresent(viewer -> leave(viewer, random.nextBoolean()));
      } else if (!asking.isEmpty()) {
        Registration registration = asking.remove(random.nextInt(asking.size()));
        hub.joined(registration, snapshot(registration, Optional.empty(), ring.next()));
      }
    }

    private Optional<Subscriber> any() {
      return viewers.isEmpty()
          ? Optional.empty()
          : viewers.keySet().stream().skip(random.nextInt(viewers.size())).findFirst();
    }

    private Optional<Registration> anyOf(Subscriber viewer) {
      return viewer.registrations().stream().findFirst();
    }

    private Entry entry(String topic) {
      Position position = new Position(0, 1, ++offset);
      byte[] data = "{\"x\":1}".getBytes(StandardCharsets.UTF_8);
      return Entry.of(position, new Record("id" + offset, topic, 1, data));
    }

    private void publish(int count) {
      List<Entry> entries = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Entry entry = entry(TOPICS[random.nextInt(TOPICS.length)]);
        ring.append(entry);
        latest.put(entry.topic(), entry);
        entries.add(entry);
      }
      hub.append(entries);
    }

    private void connect() {
      Whim whim = new Whim();
      Subscriber viewer = new Subscriber(hub, whim, 600);
      viewers.put(viewer, whim);
      hub.connected(viewer);
    }

    private void register(Subscriber viewer) {
      String filter = FILTERS[random.nextInt(FILTERS.length)];
      if (viewer.isEnded() || viewer.registration(filter) != null) {
        return;
      }
      Pacing pacing = PacingTest.any(random);
      Registration registration =
          new Registration(viewer, TopicFilter.parse(filter, 100), pacing, true);
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

    private void pace(Subscriber viewer, Registration registration) {
      registration.pace(PacingTest.any(random));
      hub.reselect(viewer, registration);
    }

    private Joined snapshot(Registration registration, Optional<Boolean> complete, long from) {
      List<Entry> entries =
          complete.isPresent()
              ? List.of()
              : latest.values().stream()
                  .filter(entry -> registration.filter().matches(entry.topic()))
                  .toList();
      return new Joined(complete, entries, from, ring.next(), Map.of(), List.of(), false, () -> {});
    }

    private void gap() {
      TOPICS_LOST.forEach(topic -> latest.put(topic, entry(topic)));
      hub.gap(new Position(0, 1, offset), List.copyOf(latest.values()), false);
    }

    private static final List<String> TOPICS_LOST = List.of("a", "t/1");

    private void leave(Subscriber viewer, boolean isSentAway) {
      if (isSentAway) {
        hub.disconnect(viewer, Disconnect.SLOW);
      }
      Whim whim = viewers.remove(viewer);
      whim.isGone = true;
      hub.closed(viewer);
      whim.letGo(Integer.MAX_VALUE, false);
      ended.add(viewer);
    }

    void endAll() {
      List.copyOf(viewers.keySet()).forEach(viewer -> leave(viewer, false));
      check();
    }

    private void check() {
      Map<Count, Long> sums = new HashMap<>();
      long waiting = 0;
      List<Subscriber> all = new ArrayList<>(ended);
      all.addAll(viewers.keySet());
      for (Subscriber viewer : all) {
        Outbox counts = viewer.deliveries();
        long done = counts.sent() + counts.conflated() + counts.dropped();
        assertEquals(counts.published(), done + viewer.waiting(), "a viewer's counts");
        assertTrue(counts.merged() <= counts.sent());
        waiting += viewer.waiting();
        sums.merge(Count.PUBLISHED, counts.published(), Long::sum);
        sums.merge(Count.SENT, counts.sent(), Long::sum);
        sums.merge(Count.MERGED, counts.merged(), Long::sum);
        sums.merge(Count.CONFLATED, counts.conflated(), Long::sum);
        sums.merge(Count.DROPPED, counts.dropped(), Long::sum);
      }
      sums.forEach((what, sum) -> assertEquals(sum, tally.get(what), what.name()));
      assertEquals(waiting, tally.waiting());
    }
  }
}
