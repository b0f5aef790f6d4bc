package io.galop.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.latency.Lateness.Uncounted;
import io.galop.record.DoorStamp;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Only what can be known is counted; the rest is counted as not known. */
@Timeout(180)
class LatenessTest {
  private static final long HOUR = 3_600_000_000L;
  private final AtomicLong clock = new AtomicLong(10 * HOUR);
  private final Lateness lateness = new Lateness("here", clock::get);

  private long counted(LatencyStage stage) {
    return Arrays.stream(lateness.lastMinute(stage)).sum();
  }

  private long medianUs(LatencyStage stage) {
    return LatencyHistogram.quantileUs(lateness.lastMinute(stage), 0.5);
  }

  @Test
  void ownStampsAreComparedAsTheyAre() {
    DoorStamp stamp = lateness.stamp("tcp");
    clock.addAndGet(20_000);
    lateness.record(LatencyStage.FED, Lateness.NO_TRANSPORT, stamp, 7);
    assertEquals(7, counted(LatencyStage.FED));
    assertEquals(20_000, medianUs(LatencyStage.FED), 2_000);
  }

  @Test
  void anUnknownClockIsNotCountedButAsSuch() {
    lateness.record(LatencyStage.FED, "", new DoorStamp("there", "tcp", clock.get() - 5), 3);
    assertEquals(0, counted(LatencyStage.FED));
    assertEquals(3, lateness.uncounted(Uncounted.CLOCK));
  }

  @Test
  void anUncertainClockIsNotCountedEither() {
    lateness.offset("there").add(clock.get() - 20_000, clock.get(), clock.get());
    lateness.record(LatencyStage.FED, "", new DoorStamp("there", "tcp", clock.get() - 5), 1);
    assertEquals(0, counted(LatencyStage.FED));
    assertEquals(1, lateness.uncounted(Uncounted.CLOCK));
  }

  @Test
  void aClockThatIsAnHourOffIsBroughtToThisOne() {
    for (long ahead : new long[] {HOUR, -HOUR}) {
      Lateness one = new Lateness("here", clock::get);
      one.offset("there").add(clock.get() - 200, clock.get() - 100 + ahead, clock.get());
      one.record(
          LatencyStage.FED, "", new DoorStamp("there", "tcp", clock.get() - 30_000 + ahead), 1);
      long us = LatencyHistogram.quantileUs(one.lastMinute(LatencyStage.FED), 0.5);
      assertEquals(30_000, us, 3_000, "ahead by " + ahead);
    }
  }

  @Test
  void whatCannotBeIsNotCounted() {
    lateness.record(LatencyStage.FED, "", new DoorStamp("here", "tcp", clock.get() + 5_000), 1);
    lateness.record(LatencyStage.FED, "", new DoorStamp("here", "tcp", clock.get() - 2 * HOUR), 1);
    assertEquals(0, counted(LatencyStage.FED));
    assertEquals(2, lateness.uncounted(Uncounted.SENSELESS));
  }

  @Test
  void aBrowserThatLiesSpoilsNothingElse() {
    DoorStamp stamp = lateness.stamp("tcp");
    lateness.screen("websocket", stamp, clock.get() + 4_000, 1_000);
    assertEquals(1, counted(LatencyStage.SCREEN));
    lateness.screen("websocket", stamp, clock.get() + 4_000, 30_000);
    lateness.screen("websocket", stamp, Long.MAX_VALUE / 2, 0);
    lateness.screen("websocket", stamp, Long.MIN_VALUE / 2, 0);
    assertEquals(1, counted(LatencyStage.SCREEN));
    assertEquals(1, lateness.uncounted(Uncounted.CLOCK));
    assertEquals(2, lateness.uncounted(Uncounted.SENSELESS));
    assertEquals(0, counted(LatencyStage.SOCKET));
  }

  @Test
  void whatWasNeverStampedIsNotCountedAtAll() {
    lateness.record(LatencyStage.FED, "", DoorStamp.NONE, 1);
    lateness.screen("websocket", DoorStamp.NONE, 1, 1);
    for (Uncounted why : Uncounted.values()) {
      assertEquals(0, lateness.uncounted(why));
    }
  }
}
