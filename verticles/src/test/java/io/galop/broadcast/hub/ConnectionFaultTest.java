package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Transport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong with one connection ends it, so that it comes back, and harms no other. */
@Timeout(60)
class ConnectionFaultTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastConfig config =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
  private final Hub hub =
      new Hub(
          loop,
          new Ring(config.ring(), 1),
          1,
          new BroadcastMeters(new SimpleMeterRegistry()),
          config);

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  /** Takes so many records, and fails then. */
  private static final class Line implements Transport {
    private final int most;
    private final Throwable fault;
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
      if (taken() == most && fault instanceof RuntimeException exception) {
        throw exception;
      } else if (taken() == most && fault instanceof Error error) {
        throw error;
      }
      records.add(frames.records());
      return true;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void onBeat() {}

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
    Registration registration = new Registration(receiver, TopicFilter.parse("#", 9), null, true);
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
          hub.attached(1, new BitSet());
          connect(before);
          connect(faulty);
          connect(behind);
        });
    for (int n = 1; n <= 3; n++) {
      int number = n;
      loop.runOnContext(now -> append(number));
      LiveClient.await("others", () -> before.taken() == number && behind.taken() == number);
    }
    assertEquals(List.of(Disconnect.FAULT), faulty.ends);
    assertEquals(1, faulty.taken(), "nothing behind a gap");
    assertEquals(0, hub.tally().waiting());
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
          hub.attached(1, new BitSet());
          register(faultyReceiver(ends));
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
          hub.attached(1, new BitSet());
          connect(line);
        });
    loop.runOnContext(now -> append(1));
    LiveClient.await("the first", () -> line.taken() == 1);
    loop.runOnContext(now -> append(3));
    LiveClient.await("the end", () -> !line.ends.isEmpty());
    assertEquals(List.of(Disconnect.FAULT), line.ends);
    assertEquals(1, line.taken());
  }

  private static RecordReceiver faultyReceiver(List<Object> ends) {
    return (RecordReceiver)
        Proxy.newProxyInstance(
            RecordReceiver.class.getClassLoader(),
            new Class<?>[] {RecordReceiver.class},
            (proxy, method, args) -> {
              if (method.getName().equals("offer")) {
                throw new IllegalStateException("a fault of the test");
              } else if (method.getName().equals("disconnect")) {
                ends.add(args[0]);
              }
              return method.getReturnType() == long.class ? (Object) 0L : null;
            });
  }
}
