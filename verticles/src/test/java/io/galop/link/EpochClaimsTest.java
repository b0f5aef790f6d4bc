package io.galop.link;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A relay that somebody has taken over cannot use up the epochs of a shard. */
class EpochClaimsTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private final EpochClaims claims = new EpochClaims(2);

  @Test
  void whatThisNodeHasSeenMayBeClaimedAlways() {
    claims.saw(1, 7);
    for (long now = 0; now < 100; now++) {
      assertTrue(claims.mayClaim(1, 7, now));
    }
    assertTrue(claims.mayClaim(1, 6, 100));
  }

  @Test
  void moreIsBelievedOnceAMinute() {
    assertTrue(claims.mayClaim(0, 5, 0));
    assertTrue(claims.mayClaim(0, 5, 1), "the same again asks for nothing new");
    assertFalse(claims.mayClaim(0, 6, MINUTE - 1));
    assertTrue(claims.mayClaim(1, 6, 2), "another shard has its own");
    assertTrue(claims.mayClaim(0, 6, MINUTE));
    assertFalse(claims.mayClaim(0, 7, 2 * MINUTE - 1));
    claims.saw(0, 7);
    assertTrue(claims.mayClaim(0, 7, 2 * MINUTE - 1));
  }

  @Test
  void noEpochIsSoLarge() {
    assertFalse(claims.mayClaim(0, Long.MAX_VALUE, 0));
    assertTrue(claims.mayClaim(0, 1L << 55, 0));
  }
}
