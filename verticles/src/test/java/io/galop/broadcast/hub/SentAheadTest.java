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
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A latest record that is sent before the Hub is handed it: nothing older of its topic follows. */
@Timeout(60)
class SentAheadTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastConfig config =
      ConfigLoader.load(
              Optional.empty(), Map.of(), List.of("broadcast.maxWaitingTopics=1"), Map.of())
          .broadcast();
  private final Hub hub =
      new Hub(
          loop,
          new Ring(config.ring(), 1),
          1,
          new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test")),
          config);
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private long tail = 1;

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private final class Line extends ReadyTransport {
    @Override
    public boolean write(Frames frames, Receipt receipt) {
      for (Frame frame : frames.frames()) {
        sent.add(new String(frame.rest(), StandardCharsets.UTF_8).replaceAll("[^0-9a-z/]+", " "));
      }
      return true;
    }
  }

  private static Entry entry(String topic, int offset) {
    return Entry.of(
        new Position(0, 1, offset), new Record("x" + offset, topic, 1, "{}".getBytes()));
  }

  private void append(Entry entry) {
    entry.number(tail++);
    hub.append(List.of(entry));
  }

  /** Of one in whose outbox a single frame is too much until it has left. */
  private Registration capped() {
    hub.attached(1, new BitSet(), (filter, isWatched) -> {});
    Subscriber subscriber = new Subscriber(hub, new Line(), 1);
    hub.connected(subscriber);
    subscriber.cap(new Caps(List.of(new Cap(TopicFilter.parse("race/#", 9), 0.001, 0))));
    Registration registration =
        new Registration(subscriber, TopicFilter.parse("#", 9), Pacing.EVERY, false);
    subscriber.add(registration);
    hub.awaitJoined(registration);
    subscriber.tell(Frame.ofControl("{}"));
    return registration;
  }

  @Test
  void aFreeTopicGoesOnInOrderAfterAnOverflow() throws Exception {
    Entry[] plant = {
      null, entry("plant", 1), entry("plant", 4), entry("plant", 5), entry("plant", 6)
    };
    plant[1].becomesLatest(null);
    TestFeed.onLoop(
        loop,
        () -> {
          Registration registration = capped();
          hub.joined(
              registration,
              new Joined(
                  Optional.empty(), List.of(plant[1]), 1, 1, Map.of(), List.of(), false, () -> {}));
          append(entry("race/a", 2));
          append(entry("race/b", 3));
          assertTrue(registration.newest().isOverflown(), "two topics have no place to wait");
          plant[2].becomesLatest(plant[1]);
          plant[3].becomesLatest(plant[2]);
        });
    LiveClient.await("the latest, as the feed has it", () -> count(" x5 ") == 1);
    for (int n = 2; n <= 4; n++) {
      Entry next = plant[n];
      TestFeed.onLoop(loop, () -> append(next));
    }
    LiveClient.await("the next", () -> count(" x6 ") == 1);
    assertEquals(0, count(" x4 "), () -> "it is older: " + sent);
    assertEquals(1, count(" x5 "), sent::toString);
    TestFeed.onLoop(loop, () -> assertEquals(0, hub.tally().waiting(), "all is counted"));
  }

  private long count(String id) {
    return sent.stream().filter(text -> text.contains(id)).count();
  }
}
