package io.galop.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.latency.Lateness.Uncounted;
import io.galop.record.DoorStamp;
import io.galop.record.TraceContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  private static final TraceContext TRACE = new TraceContext(1, 2, 3, 1);

  private List<TraceSink.Reached> traced() {
    List<TraceSink.Reached> all = new ArrayList<>();
    lateness.traces(all::add);
    return all;
  }

  @Test
  void whoCollectsTracesIsToldOfRecordsOfTracesOnly() {
    List<TraceSink.Reached> told = traced();
    DoorStamp stamp = lateness.stamp("tcp");
    lateness.record(LatencyStage.FED, "", stamp, 1);
    lateness.enriched(stamp);
    lateness.enriched(DoorStamp.NONE);
    assertEquals(List.of(), told);
    long beginUs = clock.get();
    clock.addAndGet(20_000);
    lateness.enriched(stamp.traced(TRACE));
    lateness.record(LatencyStage.SOCKET, "websocket", stamp.traced(TRACE), 7);
    lateness.screen("websocket", stamp.traced(TRACE), clock.get(), 0);
    long endUs = clock.get();
    DoorStamp traced = stamp.traced(TRACE);
    assertEquals(
        List.of(
            new TraceSink.Reached(TRACE, "enriched", traced, "", beginUs, endUs, true),
            new TraceSink.Reached(TRACE, "socket", traced, "websocket", beginUs, endUs, true)),
        told);
    assertEquals(8, counted(LatencyStage.FED) + counted(LatencyStage.SOCKET));
  }

  @Test
  void aTraceHasTheTimesOfThisNodesClock() {
    List<TraceSink.Reached> told = traced();
    DoorStamp early = new DoorStamp("there", "tcp", clock.get() - 5, TRACE);
    DoorStamp late = new DoorStamp("there", "tcp", clock.get() + HOUR - 30_000, TRACE);
    lateness.record(LatencyStage.FED, "", early, 1);
    lateness.record(LatencyStage.FED, "", late, 1);
    lateness.offset("there").add(clock.get() - 200, clock.get() - 100 + HOUR, clock.get());
    lateness.record(LatencyStage.FED, "", late, 1);
    long nowUs = clock.get();
    assertEquals(
        List.of(
            new TraceSink.Reached(TRACE, "fed", early, "", nowUs - 5, nowUs, false),
            new TraceSink.Reached(TRACE, "fed", late, "", nowUs, nowUs, false),
            new TraceSink.Reached(TRACE, "fed", late, "", nowUs - 30_000, nowUs, true)),
        told);
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
