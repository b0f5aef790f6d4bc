package io.galop.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What a moment becomes is never on its wrong side. */
class WallTimesTest {
  private static final long NANOS = Math.addExact(Long.MIN_VALUE, 5_000_000);

  @Test
  void aMomentLiesBetweenItsMilliseconds() {
    WallTimes times = new WallTimes(10_000_400, NANOS, 10_000_450);
    assertEquals(10_000, times.msNotAfter(NANOS));
    assertEquals(10_001, times.msNotBefore(NANOS));
    assertEquals(9_999, times.msNotAfter(NANOS - 400_001), "a nanosecond before the millisecond");
    assertEquals(10_000, times.msNotAfter(NANOS - 400_000));
    assertEquals(10_000, times.msNotBefore(NANOS - 450_000));
    assertEquals(10_001, times.msNotBefore(NANOS - 449_999));
    assertEquals(9_000, times.msNotAfter(NANOS - 1_000_000_000));
    assertEquals(9_001, times.msNotBefore(NANOS - 1_000_000_000));
    assertEquals(11_000, times.msNotAfter(NANOS + 1_000_000_000));
  }

  @Test
  void theyStayInTheirOrder() {
    WallTimes times = WallTimes.now();
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int n = 0; n < 100_000; n++) {
      long earlier = times.nanos() - random.nextLong(5_000_000_000L);
      long later = earlier + random.nextLong(3_000_000);
      assertTrue(times.msNotAfter(earlier) <= times.msNotAfter(later));
      assertTrue(times.msNotAfter(later) <= times.msNotBefore(later));
    }
  }

  @Test
  void nowIsNow() {
    long before = System.currentTimeMillis();
    WallTimes times = WallTimes.now();
    assertTrue(times.msNotBefore(times.nanos()) >= before);
    assertTrue(times.msNotAfter(times.nanos()) <= System.currentTimeMillis());
  }
}
