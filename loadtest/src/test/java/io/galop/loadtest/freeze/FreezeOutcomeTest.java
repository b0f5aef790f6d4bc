package io.galop.loadtest.freeze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.client.AudienceReport;
import io.galop.loadtest.latency.Gap;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Seen;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FreezeOutcomeTest {
  private static AudienceReport report(long missing, long untold) {
    return new AudienceReport(
        new Seen(1, 0, missing, 0, Gap.NONE, Latencies.histogram()), 0, untold, 0, 0, Map.of());
  }

  private static FreezeOutcome outcome(
      double p99DuringMs, AudienceReport others, AudienceReport frozen) {
    return new FreezeOutcome(5, 1, p99DuringMs, 0, 1, 1, others, frozen, 1);
  }

  @Test
  void onlyViewersOfTheFrozenNodeMayMissSomethingIfTheyKnow() {
    assertTrue(outcome(1, report(0, 0), report(7, 0)).isHonest());
    assertFalse(outcome(1, report(0, 0), report(7, 1)).isHonest());
    assertFalse(outcome(1, report(1, 0), report(0, 0)).isHonest());
  }

  @Test
  void theMedianIsTheMiddleOne() {
    AudienceReport none = report(0, 0);
    List<FreezeOutcome> three =
        List.of(outcome(3, none, none), outcome(9, none, none), outcome(1, none, none));
    assertEquals(3, FreezeOutcome.median(three, FreezeOutcome::p99DuringMs));
  }
}
