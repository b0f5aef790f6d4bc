package io.galop.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.latency.Latencies.Uncounted;
import io.galop.record.Stamp;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Only what can be known is counted; the rest is counted as not known. */
@Timeout(180)
class LatenciesTest {
  private static final long HOUR = 3_600_000_000L;
  private final AtomicLong clock = new AtomicLong(10 * HOUR);
  private final Latencies latencies = new Latencies("here", clock::get);

  private long counted(LatencyStage stage) {
    return Arrays.stream(latencies.lastMinute(stage)).sum();
  }

  private long medianUs(LatencyStage stage) {
    return LatencyHistogram.quantileUs(latencies.lastMinute(stage), 0.5);
  }

  @Test
  void ownStampsAreComparedAsTheyAre() {
    Stamp stamp = latencies.stamp("tcp");
    clock.addAndGet(20_000);
    latencies.record(LatencyStage.FED, Latencies.NO_TRANSPORT, stamp, 7);
    assertEquals(7, counted(LatencyStage.FED));
    assertEquals(20_000, medianUs(LatencyStage.FED), 2_000);
  }

  @Test
  void anUnknownClockIsNotCountedButAsSuch() {
    latencies.record(LatencyStage.FED, "", new Stamp("there", "tcp", clock.get() - 5), 3);
    assertEquals(0, counted(LatencyStage.FED));
    assertEquals(3, latencies.uncounted(Uncounted.CLOCK));
  }

  @Test
  void anUncertainClockIsNotCountedEither() {
    latencies.offset("there").add(clock.get() - 20_000, clock.get(), clock.get());
    latencies.record(LatencyStage.FED, "", new Stamp("there", "tcp", clock.get() - 5), 1);
    assertEquals(0, counted(LatencyStage.FED));
    assertEquals(1, latencies.uncounted(Uncounted.CLOCK));
  }

  @Test
  void aClockThatIsAnHourOffIsBroughtToThisOne() {
    for (long ahead : new long[] {HOUR, -HOUR}) {
      Latencies one = new Latencies("here", clock::get);
      one.offset("there").add(clock.get() - 200, clock.get() - 100 + ahead, clock.get());
      one.record(LatencyStage.FED, "", new Stamp("there", "tcp", clock.get() - 30_000 + ahead), 1);
      long us = LatencyHistogram.quantileUs(one.lastMinute(LatencyStage.FED), 0.5);
      assertEquals(30_000, us, 3_000, "ahead by " + ahead);
    }
  }

  @Test
  void whatCannotBeIsNotCounted() {
    latencies.record(LatencyStage.FED, "", new Stamp("here", "tcp", clock.get() + 5_000), 1);
    latencies.record(LatencyStage.FED, "", new Stamp("here", "tcp", clock.get() - 2 * HOUR), 1);
    assertEquals(0, counted(LatencyStage.FED));
    assertEquals(2, latencies.uncounted(Uncounted.SENSELESS));
  }

  @Test
  void aBrowserThatLiesSpoilsNothingElse() {
    Stamp stamp = latencies.stamp("tcp");
    latencies.screen("websocket", stamp, clock.get() + 4_000, 1_000);
    assertEquals(1, counted(LatencyStage.SCREEN));
    latencies.screen("websocket", stamp, clock.get() + 4_000, 30_000);
    latencies.screen("websocket", stamp, Long.MAX_VALUE / 2, 0);
    latencies.screen("websocket", stamp, Long.MIN_VALUE / 2, 0);
    assertEquals(1, counted(LatencyStage.SCREEN));
    assertEquals(1, latencies.uncounted(Uncounted.CLOCK));
    assertEquals(2, latencies.uncounted(Uncounted.SENSELESS));
    assertEquals(0, counted(LatencyStage.SOCKET));
  }

  @Test
  void whatWasNeverStampedIsNotCountedAtAll() {
    latencies.record(LatencyStage.FED, "", Stamp.NONE, 1);
    latencies.screen("websocket", Stamp.NONE, 1, 1);
    for (Uncounted why : Uncounted.values()) {
      assertEquals(0, latencies.uncounted(why));
    }
  }
}
