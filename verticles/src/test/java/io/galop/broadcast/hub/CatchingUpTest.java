package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Framing;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many who come back to different places read far more than a round of writing holds. */
@Tag("slow")
@Timeout(180)
class CatchingUpTest {
  private static final int RECORDS = 2_000;
  private static final int BACK = 100;
  private static final int BYTES = 2_000;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final BroadcastConfig config =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
  private final Ring ring = new Ring(config.ring(), 1);
  private final Hub hub =
      new Hub(loop, ring, 1, new BroadcastMeters(meters, new Lateness("test")), config);
  private int published;

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  /** A socket that takes all at once. On the event loop. */
  private static final class Line extends ReadyTransport {
    private volatile int records;

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      frames.encoded(Framing.SOCKJS, PooledByteBufAllocator.DEFAULT);
      records += frames.records();
      return true;
    }
  }

  private Registration connect(Line line, String filter) {
    Subscriber subscriber = new Subscriber(hub, line, 256 * 1024);
    hub.connected(subscriber);
    Registration registration =
        new Registration(subscriber, TopicFilter.parse(filter, 9), Pacing.EVERY, true);
    subscriber.add(registration);
    return registration;
  }

  private void publish(String topic, int bytes) {
    byte[] data = ("\"" + "x".repeat(bytes) + "\"").getBytes();
    Record record = new Record("id" + ++published, topic, 1, data);
    Entry entry = Entry.of(new Position(0, 1, published), record);
    ring.append(entry);
    hub.append(List.of(entry));
  }

  private double filled() {
    return meters.get("galop.broadcast.rounds.filled").counter().count();
  }

  /** Those who keep up are served meanwhile, and the others miss nothing. */
  @Test
  void nobodyWhoKeepsUpFallsBehindForThem() throws Exception {
    List<Line> back = new ArrayList<>();
    Line here = new Line();
    List<Registration> live = new ArrayList<>();
    TestFeed.onLoop(
        loop,
        () -> {
          hub.attached(0, new BitSet(), (filter, isWatched) -> {});
          live.add(connect(here, "live"));
          hub.register(live.get(0));
          IntStream.range(0, RECORDS).forEach(n -> publish("past/" + n % 50, BYTES));
          IntStream.range(0, BACK).forEach(n -> back.add(comeBack(n * 10)));
        });
    int shown = 0;
    while (back.stream().anyMatch(line -> line.records < RECORDS - 10 * BACK)) {
      shown++;
      TestFeed.onLoop(
          loop,
          () -> {
            publish("live", 10);
            assertEquals(0, live.get(0).receiver().behind(), "it keeps up");
          });
    }
    int all = shown;
    LiveClient.await("the live ones", () -> here.records == all);
    LiveClient.await(
        "all of the past",
        () -> IntStream.range(0, BACK).allMatch(n -> back.get(n).records == RECORDS - n * 10));
    assertTrue(filled() > 0, "a round held all of it");
  }

  private Line comeBack(int from) {
    Line line = new Line();
    Registration registration = connect(line, "past/#");
    hub.awaitJoined(registration);
    hub.joined(
        registration,
        new Joined(
            Optional.of(true), List.of(), from, hub.tail(), Map.of(), List.of(), false, () -> {}));
    return line;
  }
}
