package io.galop.broadcast.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.latency.Lateness;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Those who are behind share nothing, and what they read has a bound all the same. */
@Timeout(180)
class FilledRoundTest {
  private static final int MOST_BYTES = 256 * 1024;
  private static final int OUTBOX_BYTES = 64 * 1024;
  private static final int FRAME_BYTES = 500;

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Counter filled = new SimpleMeterRegistry().counter("filled");
  private final Pulse pulse = new Pulse(Loop.of(context), 20, () -> 0, filled, MOST_BYTES);
  private final AtomicLong mostHeld = new AtomicLong();

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  /** Has so many frames to be sent, of its own, and reads on whenever there is room. */
  private final class Behind extends ReadyTransport {
    private final Outbox outbox;
    private int left;
    private volatile int written;
    private boolean isPumping;

    /** The first write of a round takes so long. */
    private int sleepsMs;

    Behind(int left) {
      this(pulse, left);
    }

    Behind(Pulse pulse, int left) {
      this.left = left;
      this.outbox =
          new Outbox(
              new Tally(new Lateness("test")), pulse, this, OUTBOX_BYTES, this::pump, this::fail);
    }

    void fail() {
      throw new IllegalStateException("nothing goes wrong here");
    }

    void pump() {
      isPumping = true;
      while (left > 0 && outbox.hasRoom()) {
        left--;
        outbox.write(Frame.ofControl("x".repeat(FRAME_BYTES)));
        mostHeld.accumulateAndGet(pulse.heldBytes(), Math::max);
      }
      isPumping = false;
    }

    /** A socket that takes all at once. */
    @Override
    public boolean write(Frames frames, Receipt receipt) {
      written += frames.frames().length;
      if (sleepsMs > 0 && !isPumping) {
        LockSupport.parkNanos(sleepsMs * 1_000_000L);
        sleepsMs = 0;
      }
      return true;
    }
  }

  @Test
  void whoIsBehindWaitsForTheRoundAndMissesNothing() throws Exception {
    Random random = new Random(7);
    List<Behind> all = new ArrayList<>();
    IntStream.range(0, 60).forEach(n -> all.add(new Behind(random.nextInt(4_000))));
    List<Integer> wanted = all.stream().map(one -> one.left).toList();
    TestFeed.onLoop(context, () -> all.forEach(Behind::pump));
    for (int i = 0; i < 2_000 && all.stream().anyMatch(one -> one.left > 0); i++) {
      // The loop is busy, and rounds come late: others pump meanwhile.
      TestFeed.onLoop(context, () -> all.get(random.nextInt(all.size())).pump());
    }
    long deadline = System.nanoTime() + 30_000_000_000L;
    List<Integer> written = List.of();
    while (!written.equals(wanted)) {
      assertTrue(System.nanoTime() < deadline, "somebody waits for ever");
      List<Integer> now = new ArrayList<>();
      TestFeed.onLoop(context, () -> all.forEach(one -> now.add(one.written)));
      written = now;
    }
    assertTrue(filled.count() > 0, "nobody had to wait");
    long bound = 2 * (MOST_BYTES + OUTBOX_BYTES);
    assertTrue(mostHeld.get() <= bound, () -> mostHeld + " bytes were held");
    TestFeed.onLoop(context, () -> assertEquals(0, pulse.heldBytes(), "all is let go"));
  }

  /** A round that took long is followed by a long rest, but not while somebody waits. */
  @Test
  void theNextRoundBeginsAtOnceWhileSomebodyWaits() throws Exception {
    Pulse slow = new Pulse(Loop.of(context), 60_000, () -> 0, filled, MOST_BYTES);
    List<Behind> all = new ArrayList<>();
    IntStream.range(0, 20).forEach(n -> all.add(new Behind(slow, 2_000)));
    all.get(0).sleepsMs = 3_000;
    long begin = System.nanoTime();
    TestFeed.onLoop(context, () -> all.forEach(Behind::pump));
    LiveClient.await("all", () -> all.stream().allMatch(one -> one.written == 2_000));
    assertTrue(System.nanoTime() - begin < 12_000_000_000L, "four times the slow round later");
  }

  /** They share what they are sent, and must not fall behind as others are. */
  @Test
  void whoKeepsUpHasRoomWhereOthersWait() throws Exception {
    List<Behind> all = new ArrayList<>();
    IntStream.range(0, 60).forEach(n -> all.add(new Behind(100_000)));
    Behind atTheHead = new Behind(0);
    TestFeed.onLoop(
        context,
        () -> {
          all.forEach(Behind::pump);
          assertTrue(pulse.isFull());
          assertTrue(atTheHead.outbox.hasRoomForNew());
          while (atTheHead.outbox.hasRoomForNew()) {
            atTheHead.outbox.write(Frame.ofControl("x".repeat(FRAME_BYTES)));
          }
          long bound = 4 * MOST_BYTES + OUTBOX_BYTES;
          assertTrue(pulse.heldBytes() <= bound, () -> pulse.heldBytes() + " are held");
          all.forEach(one -> one.left = 0);
        });
  }

  /** In one turn of the loop, in which no round can begin. */
  @Test
  void oneTurnWritesNoMoreThanARoundHolds() throws Exception {
    List<Behind> all = new ArrayList<>();
    IntStream.range(0, 60).forEach(n -> all.add(new Behind(100_000)));
    TestFeed.onLoop(
        context,
        () -> {
          for (int i = 0; i < 20; i++) {
            all.forEach(Behind::pump);
          }
          assertTrue(mostHeld.get() <= MOST_BYTES + OUTBOX_BYTES, () -> mostHeld + " are held");
          all.forEach(one -> one.left = 0);
        });
  }
}
