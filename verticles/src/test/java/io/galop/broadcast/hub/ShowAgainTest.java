package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Promise;
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
    Promise<Void> done = Promise.promise();
    loop.runOnContext(
        now -> {
          try {
            showAgain(hub());
            done.complete();
          } catch (AssertionError wrong) {
            done.fail(wrong);
          }
        });
    TestFeed.await(done.future());
  }

  private void showAgain(Hub hub) {
    hub.attached(1, new BitSet(), (filter, isWatched) -> {});
    Subscriber subscriber = new Subscriber(hub, new Taking(), 1 << 20);
    hub.connected(subscriber);
    Registration registration =
        new Registration(subscriber, TopicFilter.parse("#", 9), Pacing.EVERY, true);
    registration.onAskAgain(() -> asked++);
    subscriber.add(registration);
    hub.awaitJoined(registration);
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
