package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong with one connection while a Hub looks at all, or answers, ends that one. */
@Timeout(180)
class HubFaultTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private Hub hub;

  @BeforeEach
  void start() throws Exception {
    BroadcastConfig config =
        ConfigLoader.load(
                Optional.empty(), Map.of(), List.of("broadcast.heartbeatMs=1000"), Map.of())
            .broadcast();
    CompletableFuture<Hub> made = new CompletableFuture<>();
    Ring ring = new Ring(config.ring(), 1);
    BroadcastMeters meters = new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test"));
    loop.runOnContext(now -> made.complete(new Hub(loop, ring, 1, meters, config)));
    hub = made.get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  /** Counts the beats of its heart, and may fail with them. */
  private static final class Heart extends ReadyTransport {
    private final AtomicInteger beats = new AtomicInteger();
    private final List<Ending> ends = new CopyOnWriteArrayList<>();
    private final boolean isFaulty;

    Heart(boolean isFaulty) {
      this.isFaulty = isFaulty;
    }

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      return true;
    }

    @Override
    public void onBeat() {
      beats.incrementAndGet();
      if (isFaulty) {
        throw new IllegalStateException("a fault of the test");
      }
    }

    @Override
    public void close(Ending why) {
      ends.add(why);
    }
  }

  /** There are as many as make it unlikely that the faulty one is the last of them. */
  @Test
  void aBeatThatFailsKeepsNoOtherFromItsHeartbeats() throws Exception {
    Heart faulty = new Heart(true);
    List<Heart> others = Stream.generate(() -> new Heart(false)).limit(64).toList();
    loop.runOnContext(
        now -> {
          Stream.concat(Stream.of(faulty), others.stream())
              .forEach(heart -> hub.connected(new Subscriber(hub, heart, 1 << 20)));
        });
    LiveClient.await("the faulty one", () -> faulty.beats.get() > 0);
    LiveClient.await("others", () -> others.stream().allMatch(heart -> heart.beats.get() > 0));
    assertEquals(List.of(Disconnect.FAULT), faulty.ends);
    assertTrue(others.stream().allMatch(heart -> heart.ends.isEmpty()));
  }

  /** Else the others whose condition costs too much would not be told. */
  @Test
  void whatCannotBeTakenBackEndsItsOwnConnection() {
    List<Object> ends = new CopyOnWriteArrayList<>();
    RecordReceiver receiver = ConnectionFaultTest.faultyReceiver("nothing", ends);
    Registration registration =
        new Registration(receiver, TopicFilter.parse("#", 9), Pacing.EVERY, true);
    registration.onTakenBack(
        (word, why) -> {
          throw new IllegalStateException("a fault of the test");
        });
    registration.takeBack("word", "why");
    assertEquals(List.of(Disconnect.FAULT), ends);
  }

  /** It would wait for ever, and what it was to get would count as memory in use. */
  @Test
  void whoCannotBeGivenTheAnswerThatItWaitsForHasToComeBack() throws Exception {
    List<Object> ends = new CopyOnWriteArrayList<>();
    AtomicInteger released = new AtomicInteger();
    RecordReceiver faulty = ConnectionFaultTest.faultyReceiver("join", ends);
    Registration registration =
        new Registration(faulty, TopicFilter.parse("#", 9), Pacing.EVERY, true);
    Joined answer =
        new Joined(
            Optional.of(true),
            List.of(),
            1,
            1,
            Map.of(),
            List.of(),
            false,
            released::incrementAndGet);
    loop.runOnContext(now -> hub.joined(registration, answer));
    LiveClient.await("the end", () -> !ends.isEmpty());
    assertEquals(List.of(Disconnect.FAULT), ends);
    assertEquals(1, released.get());
  }
}
