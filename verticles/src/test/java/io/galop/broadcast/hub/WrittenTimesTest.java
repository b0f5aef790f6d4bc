package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.broadcast.write.Rounds;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The told time of a record has all its writes in it, and is told of those that kept up only. */
@Timeout(180)
class WrittenTimesTest {
  private static final Pattern ID = Pattern.compile("\"id\":\"id(\\d+)\"");

  /** Less than two of the larger records. */
  private static final int OUTBOX_BYTES = 30_000;

  private static final int ROOMY = 10_000_000;
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastConfig config =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
  private final Ring ring = new Ring(config.ring(), 1);
  private final Hub hub =
      new Hub(
          loop,
          ring,
          1,
          new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test")),
          config);
  private final List<Entry> records = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    onLoop(() -> hub.attached(0, new BitSet(), (filter, isWatched) -> {}));
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private void onLoop(Runnable task) throws Exception {
    TestFeed.onLoop(loop, task);
  }

  /** Notes when it was written what; takes it at once, or when it is let go. */
  private static final class Line extends ReadyTransport {
    /** By the number of a record: right before it was written, and right after. */
    final Map<Integer, Rounds.Span> written = new ConcurrentHashMap<>();

    final List<Runnable> kept = new CopyOnWriteArrayList<>();
    volatile boolean isFrozen;

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      long before = System.nanoTime();
      List<Integer> numbers = numbers(frames);
      int size = frames.size();
      int count = frames.records();
      if (isFrozen) {
        kept.add(() -> receipt.onLeft(size, count, true));
      }
      Rounds.Span when = new Rounds.Span(before, System.nanoTime());
      numbers.forEach(number -> written.put(number, when));
      return !isFrozen;
    }

    private static List<Integer> numbers(Frames frames) {
      List<Integer> numbers = new ArrayList<>();
      for (Frame frame : frames.frames()) {
        String text = frame.writeText(Unpooled.buffer()).toString(StandardCharsets.UTF_8);
        Matcher id = ID.matcher(text);
        if (id.find()) {
          numbers.add(Integer.valueOf(id.group(1)));
        }
      }
      return numbers;
    }

    void thaw() {
      isFrozen = false;
      List<Runnable> all = List.copyOf(kept);
      kept.clear();
      all.forEach(Runnable::run);
    }
  }

  private Registration register(Subscriber subscriber, String filter) {
    Registration registration =
        new Registration(subscriber, TopicFilter.parse(filter, 9), Pacing.EVERY, true);
    subscriber.add(registration);
    return registration;
  }

  private Line viewer(int outboxBytes, String... filters) throws Exception {
    Line line = new Line();
    onLoop(
        () -> {
          Subscriber subscriber = new Subscriber(hub, line, outboxBytes);
          hub.connected(subscriber);
          for (String filter : filters) {
            hub.register(register(subscriber, filter));
          }
        });
    return line;
  }

  private void publish(int count, int bytes) {
    hub.post(
        () -> {
          List<Entry> batch = new ArrayList<>();
          for (int n = 0; n < count; n++) {
            int number = records.size();
            String data = "{\"v\":\"" + "x".repeat(bytes) + "\"}";
            Record record = new Record("id" + number, "a/b", 1, data.getBytes());
            Entry entry = Entry.of(new Position(0, 1, number + 1), record);
            entry.heardAt(System.nanoTime());
            ring.append(entry);
            records.add(entry);
            batch.add(entry);
          }
          hub.append(batch);
        });
  }

  private Reach reach(int number) throws Exception {
    List<Reach> told = new ArrayList<>();
    onLoop(() -> told.add(Reach.of(hub, records.get(number))));
    return told.get(0);
  }

  private static Rounds.Span when(Reach reach, int registrations) {
    assertEquals(registrations, reach.written().registrations(), "" + reach);
    assertEquals(0, reach.written().forgotten());
    return reach.written().when();
  }

  private static void assertWithin(Rounds.Span told, Rounds.Span real, String what) {
    assertTrue(told.firstNanos() - real.firstNanos() <= 0, "told too late: " + what);
    assertTrue(real.lastNanos() - told.lastNanos() <= 0, "told too early: " + what);
  }

  /** Rounds of several pieces, records between these, and outboxes that are emptied out of turn. */
  @Test
  void eachWriteToWhoKeepsUpIsWithinTheToldTime() throws Exception {
    List<Line> lines = new ArrayList<>();
    for (int n = 0; n < 300; n++) {
      lines.add(viewer(ROOMY, "a/+"));
    }
    Random random = new Random(7);
    for (int n = 0; n < 150; n++) {
      publish(1 + random.nextInt(4), random.nextInt(8) == 0 ? 20_000 : 10);
      Thread.sleep(random.nextInt(4));
    }
    onLoop(() -> {});
    int all = records.size();
    for (Line line : lines) {
      LiveClient.await("all", () -> line.written.size() == all);
    }
    onLoop(() -> {});
    long end = System.nanoTime();
    for (int n = 0; n < all; n++) {
      Rounds.Span told = when(reach(n), lines.size());
      for (Line line : lines) {
        assertWithin(told, line.written.get(n), "record " + n);
      }
      assertTrue(told.firstNanos() - records.get(n).heardNanos().orElseThrow() >= 0);
      assertTrue(told.lastNanos() - end <= 0);
    }
  }

  @Test
  void onAQuietFeedEachRecordHasATimeOfItsOwn() throws Exception {
    Line line = viewer(ROOMY, "a/+", "#");
    List<Long> ends = new ArrayList<>();
    for (int n = 0; n < 20; n++) {
      publish(1, 10);
      int number = n;
      LiveClient.await("it", () -> line.written.containsKey(number));
      onLoop(() -> {});
      ends.add(System.nanoTime());
    }
    for (int n = 0; n < 20; n++) {
      Rounds.Span told = when(reach(n), 2);
      assertWithin(told, line.written.get(n), "record " + n);
      assertTrue(told.lastNanos() - ends.get(n) <= 0, "it has the time of a later one");
    }
  }

  @Test
  void ofWhatASocketHasTakenLateTheTimeIsNotTold() throws Exception {
    Line well = viewer(ROOMY, "a/b");
    Line slow = viewer(ROOMY, "a/b");
    publish(1, 10);
    LiveClient.await("both", () -> slow.written.size() == 1 && well.written.size() == 1);
    slow.isFrozen = true;
    publish(1, 10);
    LiveClient.await("both", () -> slow.written.size() == 2 && well.written.size() == 2);
    assertEquals(1, reach(1).leaving());
    when(reach(1), 1);
    Thread.sleep(50);
    long thawed = System.nanoTime();
    onLoop(slow::thaw);
    assertEquals(2, reach(1).sent());
    Rounds.Span told = when(reach(1), 1);
    assertTrue(told.lastNanos() - thawed < 0, "that of the other one");
    assertWithin(told, well.written.get(1), "the well one");
    publish(1, 10);
    LiveClient.await("both", () -> slow.written.size() == 3 && well.written.size() == 3);
    assertWithin(when(reach(2), 2), slow.written.get(2), "as it keeps up again");
  }

  @Test
  void ofWhatIsReadFromTheRingTheTimeIsNotTold() throws Exception {
    Line well = viewer(ROOMY, "a/b");
    Line slow = viewer(OUTBOX_BYTES, "a/b");
    slow.isFrozen = true;
    for (int n = 0; n < 10; n++) {
      publish(1, 20_000);
    }
    LiveClient.await("all", () -> well.written.size() == 10);
    assertEquals(new Reach(1, 0, 1, 0, 0, reach(9).written()), reach(9));
    onLoop(slow::thaw);
    LiveClient.await("all", () -> slow.written.size() == 10);
    publish(1, 10);
    LiveClient.await("it", () -> slow.written.containsKey(10) && well.written.containsKey(10));
    for (int n = 0; n < 10; n++) {
      assertEquals(2, reach(n).sent());
      assertWithin(when(reach(n), 1), well.written.get(n), "record " + n);
    }
    assertWithin(when(reach(10), 2), slow.written.get(10), "as it keeps up again");
  }

  @Test
  void ofWhatAResumeBringsTheTimeIsNotTold() throws Exception {
    Line well = viewer(ROOMY, "a/b");
    publish(5, 10);
    LiveClient.await("all", () -> well.written.size() == 5);
    Thread.sleep(20);
    Line back = new Line();
    onLoop(
        () -> {
          Subscriber subscriber = new Subscriber(hub, back, ROOMY);
          hub.connected(subscriber);
          Registration registration = register(subscriber, "a/b");
          hub.awaitJoined(registration);
          hub.joined(
              registration,
              new Joined(Optional.of(true), List.of(), 2, 5, Map.of(), List.of(), false, () -> {}));
        });
    LiveClient.await("what it missed", () -> back.written.size() == 3);
    publish(1, 10);
    LiveClient.await("it", () -> back.written.size() == 4 && well.written.size() == 6);
    assertEquals(1, reach(1).unknown());
    for (int n = 2; n < 5; n++) {
      assertEquals(2, reach(n).sent());
      assertWithin(when(reach(n), 1), well.written.get(n), "record " + n);
    }
    when(reach(5), 2);
  }

  /** Another registration begins with what is present: nothing was late by that. */
  @Test
  void whoKeptUpHasKeptUpWhateverItRegistersSince() throws Exception {
    Line line = new Line();
    List<Subscriber> made = new ArrayList<>();
    onLoop(
        () -> {
          Subscriber subscriber = new Subscriber(hub, line, ROOMY);
          made.add(subscriber);
          hub.connected(subscriber);
          hub.register(register(subscriber, "a/b"));
        });
    publish(1, 10);
    LiveClient.await("it", () -> line.written.size() == 1);
    onLoop(
        () -> {
          Registration other = register(made.get(0), "c/#");
          hub.awaitJoined(other);
          hub.joined(
              other,
              new Joined(Optional.empty(), List.of(), 1, 1, Map.of(), List.of(), false, () -> {}));
        });
    assertWithin(when(reach(0), 1), line.written.get(0), "the record");
  }

  /** Until it is closed it is there, and was not offered what came meanwhile. */
  @Test
  void whoseConnectionIsBeingEndedIsNotKnown() throws Exception {
    Line line = viewer(ROOMY, "a/b");
    publish(1, 10);
    LiveClient.await("it", () -> line.written.size() == 1);
    onLoop(() -> hub.disconnectAll(Disconnect.FAULT));
    publish(1, 10);
    for (int n = 0; n < 2; n++) {
      assertEquals(new Reach(0, 0, 0, 0, 1, Reach.NONE.written()), reach(n));
    }
  }
}
