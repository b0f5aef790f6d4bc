package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.record.TopicFilter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The answers to many registrations wait for room, one behind the other. */
@Timeout(60)
class ManyAnswersTest {
  private static final int FILTERS = 20;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Hub hub = TestFeed.hub(loop);

  /** On the loop: how many were written together, and what makes what was written leave. */
  private final List<Long> live = new ArrayList<>();

  private final List<Runnable> leaving = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  /** What is written to it leaves when the test says so. */
  private final class Line extends ReadyTransport {
    @Override
    public boolean write(Frames frames, Receipt receipt) {
      int size = frames.size();
      int records = frames.records();
      live.add(Arrays.stream(frames.frames()).filter(ManyAnswersTest::isLive).count());
      leaving.add(() -> receipt.onLeft(size, records, true));
      return false;
    }
  }

  private static boolean isLive(Frame frame) {
    return new String(frame.rest(), StandardCharsets.UTF_8).contains("live");
  }

  private void resume(Subscriber viewer, String filter) {
    Registration registration =
        new Registration(viewer, TopicFilter.parse(filter, 9), Pacing.EVERY, true);
    viewer.add(registration);
    hub.awaitJoined(registration);
    hub.joined(
        registration,
        new Joined(Optional.of(true), List.of(), 1, 1, Map.of(), List.of(), false, () -> {}));
  }

  private long written() {
    return live.stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void eachTakesTheRoomThatItFinds() throws Exception {
    Subscriber viewer = new Subscriber(hub, new Line(), 1);
    TestFeed.onLoop(
        loop,
        () -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          hub.connected(viewer);
          viewer.tell(Frame.ofControl("{}"));
          for (int n = 0; n < FILTERS; n++) {
            resume(viewer, "t/" + n);
          }
        });
    for (int n = 0; n < FILTERS; n++) {
      int before = n;
      LiveClient.await("something was written", () -> onLoop(() -> !leaving.isEmpty()));
      TestFeed.onLoop(loop, () -> assertEquals(before, written(), live::toString));
      TestFeed.onLoop(
          loop,
          () -> {
            List<Runnable> all = List.copyOf(leaving);
            leaving.clear();
            all.forEach(Runnable::run);
          });
    }
    LiveClient.await("all are told", () -> onLoop(() -> written() == FILTERS));
    assertFalse(viewer.isEnded());
  }

  private boolean onLoop(BooleanSupplier asked) {
    boolean[] answer = {false};
    try {
      TestFeed.onLoop(loop, () -> answer[0] = asked.getAsBoolean());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return answer[0];
  }
}
