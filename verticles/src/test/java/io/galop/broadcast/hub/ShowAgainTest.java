package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.TestFeed;
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
import io.vertx.core.Vertx;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Last values that are asked for again, however often. */
@Timeout(60)
class ShowAgainTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastConfig config =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
  private int asked;

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private Hub hub() {
    return new Hub(
        loop,
        new Ring(config.ring(), 1),
        1,
        new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test")),
        config);
  }

  private static Joined answer(Optional<Boolean> complete) {
    return new Joined(complete, List.of(), 1, 1, Map.of(), List.of(), false, () -> {});
  }

  @Test
  void oneAnswerAtATimeIsMade() throws Exception {
    TestFeed.onLoop(loop, () -> showAgain(hub()));
  }

  /** An owner has given it more than the node has, whose values are shown again. */
  @Test
  void whatComesAfterOlderValuesIsNewsAgain() throws Exception {
    TestFeed.onLoop(loop, () -> showOlder(hub()));
  }

  private static void showOlder(Hub hub) {
    Registration registration = registration(hub, () -> {});
    Map<Integer, Position> seen = Map.of(0, new Position(0, 1, 20));
    hub.joined(
        registration,
        new Joined(Optional.of(true), List.of(), 1, 1, seen, List.of(), false, () -> {}));
    assertFalse(registration.isMeant(entry(15)));
    List<Position> here = List.of(new Position(0, 1, 10));
    hub.joined(
        registration,
        new Joined(Optional.empty(), List.of(), 1, 1, Map.of(), here, false, () -> {}));
    assertTrue(registration.isMeant(entry(15)), "or what is older would stay");
    assertFalse(registration.isMeant(entry(10)));
  }

  private static Entry entry(int offset) {
    Entry entry =
        Entry.of(new Position(0, 1, offset), new Record("r" + offset, "a", 1, "{}".getBytes()));
    entry.number(offset);
    return entry;
  }

  private static Registration registration(Hub hub, Runnable onAskAgain) {
    hub.attached(1, new BitSet(), (filter, isWatched) -> {});
    Subscriber subscriber = new Subscriber(hub, new Taking(), 1 << 20);
    hub.connected(subscriber);
    Registration registration =
        new Registration(subscriber, TopicFilter.parse("#", 9), Pacing.EVERY, true);
    registration.onAskAgain(onAskAgain);
    subscriber.add(registration);
    hub.awaitJoined(registration);
    return registration;
  }

  private void showAgain(Hub hub) {
    Registration registration = registration(hub, () -> asked++);
    times(registration);
    assertEquals(0, asked, "what it missed comes first");
    hub.joined(registration, answer(Optional.of(true)));
    assertEquals(1, asked, "then the last values");
    times(registration);
    assertEquals(1, asked, "which are on their way");
    hub.joined(registration, answer(Optional.empty()));
    assertEquals(1, asked);
    times(registration);
    assertEquals(2, asked);
  }

  private static void times(Registration registration) {
    for (int i = 0; i < 1000; i++) {
      registration.showAgain();
    }
  }

  private static final class Taking extends ReadyTransport {
    @Override
    public boolean write(Frames frames, Receipt receipt) {
      return true;
    }
  }
}
