package io.galop.enrich.script.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.enrich.BreakerConfig;
import org.junit.jupiter.api.Test;

/** When a script is suspended, and for how long. */
class BreakerTest {
  private long nowMs;
  private final Breaker breaker =
      new Breaker(new BreakerConfig(2, 1_000, 500, 300, 1_000, 4), () -> nowMs);

  private void suspend() {
    breaker.onCall(true);
    breaker.onCall(true);
  }

  @Test
  void hitsCountWithinATimeOnly() {
    assertFalse(breaker.onCall(true));
    nowMs = 1_001;
    assertFalse(breaker.onCall(true), "the first one is too long ago");
    nowMs = 1_500;
    assertTrue(breaker.onCall(true));
    assertTrue(breaker.isSuspended());
    assertEquals(300, breaker.remainingMs());
  }

  @Test
  void oneHitOnTrialSuspendsForTwiceAsLongUpToTheMost() {
    suspend();
    nowMs = 300;
    assertFalse(breaker.isSuspended());
    assertTrue(breaker.onCall(true));
    assertEquals(600, breaker.remainingMs());
    nowMs += 600;
    assertTrue(breaker.onCall(true));
    assertEquals(1_000, breaker.remainingMs());
  }

  @Test
  void aGoodCallOnTrialEndsIt() {
    suspend();
    nowMs = 300;
    assertFalse(breaker.onCall(false));
    assertFalse(breaker.onCall(true), "it takes as many hits as before");
    assertTrue(breaker.onCall(true));
    assertEquals(600, breaker.remainingMs(), "soon after the last time");
  }

  @Test
  void longAfterItIsTheFirstTimeAgainAndSoForANewVersion() {
    suspend();
    nowMs = 300;
    breaker.onCall(false);
    nowMs = 1_400;
    suspend();
    assertEquals(300, breaker.remainingMs());
    breaker.reset();
    assertFalse(breaker.isSuspended());
    assertFalse(breaker.onCall(true));
  }
}
