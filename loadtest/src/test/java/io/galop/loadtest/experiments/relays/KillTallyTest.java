package io.galop.loadtest.experiments.relays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.loadtest.chaos.Journal;
import io.galop.loadtest.chaos.Journal.Event;
import io.galop.loadtest.chaos.Journal.Kind;
import io.galop.loadtest.chaos.SeenPosition;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KillTallyTest {
  private static final Map<String, Long> SENT = Map.of("before", ns(90), "after", ns(1_100));

  private final Kill kill = new Kill(2, "node-5", 0, ns(1_000), ns(3_000), ns(9_000), "");
  private final Journal viewer = new Journal("viewer");

  private static long ns(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private void shown(long ms, String id) {
    viewer.add(new Event(ns(ms), Kind.SHOWN, id, new SeenPosition(0, 1, 1), null));
  }

  private void told(long ms, Kind kind) {
    viewer.add(new Event(ns(ms), kind, null, null, null));
  }

  private KillTally tally() {
    return KillTally.of(viewer, kill, SENT);
  }

  @Test
  void whoIsNotTouchedIsLiveAllTheTime() {
    shown(1_050, "before");
    shown(1_600, "after");
    assertEquals(new KillTally(0, 500, 0, 0, 0, true), tally());
  }

  @Test
  void whoComesBackIsLiveWhenItHasCaughtUp() {
    told(1_010, Kind.ENDED);
    told(1_500, Kind.ENDED);
    told(4_000, Kind.RESUMED);
    shown(4_010, "after");
    told(4_020, Kind.LIVE);
    assertEquals(new KillTally(3_020, 2_910, 0, 1, 0, true), tally());
  }

  @Test
  void whatWasShownAgainIsNotLate() {
    shown(1_200, "after");
    told(4_000, Kind.INCOMPLETE);
    shown(4_010, "after");
    told(4_020, Kind.LIVE);
    assertEquals(new KillTally(3_020, 100, 0, 0, 1, true), tally());
  }

  @Test
  void staleLastsUntilItIsFreshOrTheConnectionEnds() {
    told(2_000, Kind.STALE);
    told(2_500, Kind.FRESH);
    told(3_000, Kind.STALE);
    told(3_100, Kind.ENDED);
    told(3_200, Kind.LIVE);
    assertEquals(new KillTally(2_200, 0, 600, 0, 0, true), tally());
  }

  @Test
  void whoStaysStaleIsNeverBack() {
    told(2_000, Kind.STALE);
    assertEquals(new KillTally(8_000, 0, 7_000, 0, 0, false), tally());
  }

  @Test
  void otherKillsAreNotItsConcern() {
    told(500, Kind.STALE);
    told(900, Kind.FRESH);
    told(9_500, Kind.ENDED);
    assertEquals(new KillTally(0, 0, 0, 0, 0, true), tally());
    assertFalse(kill.covers(ns(9_500)));
  }
}
