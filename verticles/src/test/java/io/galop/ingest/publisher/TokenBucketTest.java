package io.galop.ingest.publisher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void holdsWhatASecondAllows() {
    for (long now : new long[] {0, -5 * SECOND, Long.MAX_VALUE - 7, Long.MIN_VALUE + 7}) {
      long cost = TokenBucket.cost(1, 10);
      long state = now;
      for (int i = 0; i < 10; i++) {
        assertEquals(0, TokenBucket.waitNanos(state, now, cost), "record " + i);
        state = TokenBucket.take(state, now, cost);
      }
      assertEquals(SECOND / 10, TokenBucket.waitNanos(state, now, cost));
      assertEquals(1, TokenBucket.waitNanos(state, now + SECOND / 10 - 1, cost));
      assertEquals(0, TokenBucket.waitNanos(state, now + SECOND / 10, cost));
      assertEquals(0, TokenBucket.waitNanos(state, now + 100 * SECOND, 10 * cost), "full again");
      assertTrue(TokenBucket.waitNanos(state, now + 100 * SECOND, 11 * cost) > 0, "no more");
    }
  }

  @Test
  void owesNoMoreThanASecond() {
    long state = 0;
    for (int i = 0; i < 1000; i++) {
      state = TokenBucket.take(state, 0, SECOND / 2);
    }
    assertEquals(SECOND, state);
  }

  @Test
  void withoutALimitNothingWaits() {
    assertEquals(0, TokenBucket.cost(1_000_000, 0));
    assertEquals(0, TokenBucket.waitNanos(0, 0, 0));
  }

  /** In any time no more is taken than that time allows and one full bucket. */
  @Test
  void neverGivesMoreThanTheRate() {
    Random random = new Random(17);
    for (int run = 0; run < 50; run++) {
      long perSecond = 1 + random.nextInt(10_000);
      long state = 0;
      long now = 0;
      double taken = 0;
      for (int i = 0; i < 5_000; i++) {
        now += random.nextInt((int) (2 * SECOND / perSecond) + 1);
        long amount = 1 + random.nextInt(3);
        long cost = TokenBucket.cost(amount, perSecond);
        if (TokenBucket.waitNanos(state, now, cost) == 0) {
          state = TokenBucket.take(state, now, cost);
          taken += amount;
        }
        double most = perSecond * (1 + now / (double) SECOND) + 1;
        assertTrue(taken <= most, taken + " of " + most + " at " + perSecond);
      }
    }
  }
}
