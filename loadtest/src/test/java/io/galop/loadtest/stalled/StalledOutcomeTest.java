package io.galop.loadtest.stalled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.client.AudienceReport;
import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.latency.Gap;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Seen;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StalledOutcomeTest {
  private static final int MOST_MB = 256;

  private static StalledOutcome outcome(ViewerTransport transport, long missing, Round... rounds) {
    Seen seen = new Seen(1, 0, missing, 0, Gap.NONE, Latencies.histogram());
    AudienceReport report = new AudienceReport(seen, 0, 0, 0, 0, Map.of());
    return new StalledOutcome(transport, 1_000, List.of(rounds), report);
  }

  private static Round round(double withMs, double withMb, int full) {
    return new Round(10, withMs, 100, withMb, full);
  }

  @Test
  void mediansOfTheRoundsAreJudged() {
    StalledOutcome good =
        outcome(
            ViewerTransport.WEBSOCKET,
            0,
            round(12, 200, 990),
            round(90, 900, 10),
            round(9, 199, 1000));
    assertEquals(12, good.median(Round::p99WithMs));
    assertTrue(good.isRight(MOST_MB));
    assertTrue(good.row(MOST_MB).contains("unchanged, flat"), good.row(MOST_MB));
  }

  @Test
  void laterOrLargerOrMissingIsNotRight() {
    assertFalse(outcome(ViewerTransport.WEBSOCKET, 0, round(31, 200, 1000)).isRight(MOST_MB));
    assertFalse(outcome(ViewerTransport.WEBSOCKET, 0, round(10, 357, 1000)).isRight(MOST_MB));
    assertFalse(outcome(ViewerTransport.WEBSOCKET, 1, round(10, 200, 1000)).isRight(MOST_MB));
  }

  @Test
  void nothingIsShownByThoseWhoReadAfterAll() {
    StalledOutcome none = outcome(ViewerTransport.HTMLFILE, 0, round(10, 200, 499));
    assertFalse(none.isRight(MOST_MB));
    assertTrue(none.row(MOST_MB).contains("DID NOT STALL"), none.row(MOST_MB));
    assertTrue(outcome(ViewerTransport.JSONP, 0, round(10, 200, 0)).isRight(MOST_MB));
  }
}
