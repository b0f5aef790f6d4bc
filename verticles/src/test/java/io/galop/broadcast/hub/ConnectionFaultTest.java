package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.broadcast.sockjs.Transport;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong with one connection ends it, so that it comes back, and harms no other. */
@Timeout(180)
class ConnectionFaultTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Hub hub = TestFeed.hub(loop);

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  /** Takes so many records, and fails then, once. */
  private static final class Line extends ReadyTransport {
    private final int most;
    private Throwable fault;
    private final List<Integer> records = new CopyOnWriteArrayList<>();
    private final List<Ending> ends = new CopyOnWriteArrayList<>();

    Line(int most, Throwable fault) {
      this.most = most;
      this.fault = fault;
    }

    int taken() {
      return records.stream().mapToInt(each -> each).sum();
    }

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      Throwable now = taken() == most ? fault : null;
      fault = now == null ? fault : null;
      if (now instanceof RuntimeException exception) {
        throw exception;
      } else if (now instanceof Error error) {
        throw error;
      }
      records.add(frames.records());
      return true;
    }

    @Override
    public void close(Ending why) {
      ends.add(why);
    }
  }

  private void connect(Line line) {
    Subscriber subscriber = new Subscriber(hub, line, 1 << 20);
    hub.connected(subscriber);
    register(subscriber);
  }

  private void register(RecordReceiver receiver) {
    Registration registration =
        new Registration(receiver, TopicFilter.parse("#", 9), Pacing.EVERY, true);
    if (receiver instanceof Subscriber subscriber) {
      subscriber.add(registration);
    }
    hub.register(registration);
  }

  private void append(int number) {
    Entry entry =
        Entry.of(new Position(0, 1, number), new Record("id" + number, "a", 1, "{}".getBytes()));
    entry.number(number);
    hub.append(List.of(entry));
  }

  private void others(Line faulty, Line before, Line behind) throws Exception {
    loop.runOnContext(
        now -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          connect(before);
          connect(faulty);
          connect(behind);
        });
    for (int n = 1; n <= 3; n++) {
      int number = n;
      loop.runOnContext(now -> append(number));
      LiveClient.await("others", () -> before.taken() == number && behind.taken() == number);
    }
    TestFeed.onLoop(loop, () -> assertEquals(0, hub.tally().waiting(), "all is counted"));
    assertEquals(List.of(Disconnect.FAULT), faulty.ends);
    assertEquals(1, faulty.taken(), "nothing behind a gap");
  }

  @Test
  void aFailedWriteEndsItsConnection() throws Exception {
    Line faulty = new Line(1, new IllegalStateException("a fault of the test"));
    others(faulty, new Line(-1, null), new Line(-1, null));
  }

  @Test
  void memoryThatIsMissingForAMomentEndsItsConnection() throws Exception {
    Line faulty = new Line(1, new OutOfMemoryError("a fault of the test"));
    others(faulty, new Line(-1, null), new Line(-1, null));
  }

  @Test
  void whatGoesWrongBeforeTheWriteDoesSo() throws Exception {
    List<Object> ends = new CopyOnWriteArrayList<>();
    Line other = new Line(-1, null);
    loop.runOnContext(
        now -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          register(faultyReceiver("offer", ends));
          connect(other);
          append(1);
          append(2);
        });
    LiveClient.await("both", () -> other.taken() == 2);
    assertEquals(List.of(Disconnect.FAULT, Disconnect.FAULT), ends);
  }

  /**
   * Whatever went wrong with the one between: nobody is shown what follows on it as if all were.
   */
  @Test
  void whoMayHaveMissedARecordHasToComeBack() throws Exception {
    Line line = new Line(-1, null);
    loop.runOnContext(
        now -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          connect(line);
        });
    loop.runOnContext(now -> append(1));
    LiveClient.await("the first", () -> line.taken() == 1);
    loop.runOnContext(now -> append(3));
    LiveClient.await("the end", () -> !line.ends.isEmpty());
    assertEquals(List.of(Disconnect.FAULT), line.ends);
    assertEquals(1, line.taken());
  }

  private static List<Entry> latest(int count, int bytes) {
    return IntStream.rangeClosed(1, count).mapToObj(n -> entry(n, bytes)).toList();
  }

  private static Entry entry(int number, int bytes) {
    byte[] data = ("\"" + "x".repeat(bytes) + "\"").getBytes();
    return Entry.of(new Position(0, 1, number), new Record("id" + number, "a" + number, 1, data));
  }

  /** They are large: some are written while others are still to be handed over. */
  @Test
  void aWriteThatFailsInABacklogKeepsNoOtherFromTheGap() throws Exception {
    Line before = new Line(-1, null);
    Line faulty = new Line(0, new IllegalStateException("a fault of the test"));
    Line behind = new Line(-1, null);
    loop.runOnContext(
        now -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          List.of(before, faulty, behind).forEach(this::connect);
          hub.gap(new Position(0, 1, 4), latest(4, 20_000), false);
        });
    LiveClient.await("others", () -> before.taken() == 4 && behind.taken() == 4);
    TestFeed.onLoop(loop, () -> assertEquals(0, hub.tally().waiting(), "all is counted"));
    assertEquals(List.of(Disconnect.FAULT), faulty.ends);
    assertEquals(0, faulty.taken(), "nothing behind a gap");
  }

  @Test
  void whoCannotBeToldOfAGapKeepsNoOtherFromIt() throws Exception {
    List<Object> ends = new CopyOnWriteArrayList<>();
    Line other = new Line(-1, null);
    loop.runOnContext(
        now -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          register(faultyReceiver("makeUpForGap", ends));
          register(faultyReceiver("tell", ends));
          connect(other);
          hub.gap(new Position(0, 1, 2), latest(2, 10), false);
        });
    LiveClient.await("the other", () -> other.taken() == 2);
    assertEquals(List.of(Disconnect.FAULT, Disconnect.FAULT), ends);
  }

  @Test
  void whoCannotBeToldThatTheFeedIsStaleKeepsNoOtherFromHearing() throws Exception {
    List<Object> ends = new CopyOnWriteArrayList<>();
    Line other = new Line(-1, null);
    loop.runOnContext(
        now -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          register(faultyReceiver("tell", ends));
          connect(other);
          hub.stale(0, true);
        });
    LiveClient.await("the other", () -> !other.records.isEmpty());
    assertEquals(List.of(Disconnect.FAULT), ends);
  }

  /** What waits for its rate is looked at for all connections together. */
  @Test
  void whatGoesWrongWithTheNewestOfOneEndsItAlone() throws Exception {
    Line faulty = new Line(-1, null);
    List<Line> others = Stream.generate(() -> new Line(-1, null)).limit(8).toList();
    loop.runOnContext(
        now -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          Registration failing = conflating(faulty);
          others.forEach(this::conflating);
          append(1);
          append(2);
          failing.newest().overflown(true);
          failing.onAskAgain(
              () -> {
                throw new IllegalStateException("a fault of the test");
              });
        });
    LiveClient.await("others", () -> others.stream().allMatch(other -> other.taken() == 2));
    assertEquals(List.of(Disconnect.FAULT), faulty.ends);
  }

  private Registration conflating(Line line) {
    Subscriber subscriber = new Subscriber(hub, line, 1 << 20);
    hub.connected(subscriber);
    Pacing pacing = new Pacing(false, 5, 0);
    Registration registration =
        new Registration(subscriber, TopicFilter.parse("#", 9), pacing, true);
    subscriber.add(registration);
    hub.register(registration);
    return registration;
  }

  /** Whoever ends one connection may be in the middle of all. */
  @Test
  void whatGoesWrongWithAnEndKeepsNoOtherFromItsOwn() throws Exception {
    List<Ending> ends = new CopyOnWriteArrayList<>();
    loop.runOnContext(
        now -> {
          IntStream.range(0, 3).forEach(n -> hub.connected(endless(ends)));
          hub.disconnectAll(Disconnect.SHUTDOWN);
        });
    LiveClient.await("all", () -> ends.size() == 3);
  }

  private Subscriber endless(List<Ending> ends) {
    Transport transport =
        (Transport)
            Proxy.newProxyInstance(
                Transport.class.getClassLoader(),
                new Class<?>[] {Transport.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("close")) {
                    ends.add((Ending) args[0]);
                    throw new IllegalStateException("a fault of the test");
                  }
                  return null;
                });
    return new Subscriber(hub, transport, 1 << 20);
  }

  static RecordReceiver faultyReceiver(String faulty, List<Object> ends) {
    return (RecordReceiver)
        Proxy.newProxyInstance(
            RecordReceiver.class.getClassLoader(),
            new Class<?>[] {RecordReceiver.class},
            (proxy, method, args) -> {
              if (method.getName().equals(faulty)) {
                throw new IllegalStateException("a fault of the test");
              } else if (method.getName().equals("disconnect")) {
                ends.add(args[0]);
              }
              return switch (method.getReturnType().getName()) {
                case "long" -> 0L;
                case "boolean" -> false;
                default -> null;
              };
            });
  }
}
