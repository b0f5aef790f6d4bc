package io.galop.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Pauses grow to their bound, differ by chance, and begin anew. */
class BackoffTest {
  private static List<Long> pauses(Backoff backoff, int count) {
    return LongStream.range(0, count).map(i -> backoff.nextMs()).boxed().toList();
  }

  @Test
  void eachIsTwiceTheOneBeforeUpToTheLongest() {
    Backoff backoff = Backoff.regular(100, 1_000);
    assertEquals(List.of(100L, 200L, 400L, 800L, 1_000L, 1_000L), pauses(backoff, 6));
    backoff.reset();
    assertEquals(List.of(100L, 200L), pauses(backoff, 2));
  }

  @Test
  void chanceTakesItsPartOfEachAndNoMore() {
    assertEquals(List.of(50L, 100L), pauses(new Backoff(100, 1_000, 0.5, () -> 1), 2));
    assertEquals(List.of(75L, 150L), pauses(new Backoff(100, 1_000, 0.5, () -> 0.5), 2));
    for (int run = 0; run < 1_000; run++) {
      long pauseMs = new Backoff(100, 1_000).nextMs();
      assertTrue(pauseMs >= 50 && pauseMs <= 100, pauseMs + " ms");
    }
  }

  @Test
  void twoDoNotComeBackTogether() {
    Backoff one = new Backoff(1_000_000, 1_000_000);
    Backoff other = new Backoff(1_000_000, 1_000_000);
    assertNotEquals(pauses(one, 5), pauses(other, 5));
  }

  @Test
  void theLongestHoldsForTheFirstAndForAnyNumberOfFailures() {
    assertEquals(List.of(30L, 30L), pauses(Backoff.regular(100, 30), 2));
    Backoff backoff = Backoff.regular(1, Long.MAX_VALUE);
    assertEquals(Long.MAX_VALUE, pauses(backoff, 100).get(99));
  }
}
