package io.galop.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The offset of another clock is never further off than it is said to be. */
@Timeout(180)
class ClockOffsetTest {
  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;
  private final ClockOffset offset = new ClockOffset();

  /** An exchange in which the question and the answer took so long. */
  private void exchange(long atUs, long aheadUs, long thereUs, long backUs) {
    offset.add(atUs, atUs + thereUs + aheadUs, atUs + thereUs + backUs);
  }

  private void isWithinItsError(long nowUs, long aheadUs) {
    long error = offset.errorUs(nowUs);
    assertTrue(
        Math.abs(offset.aheadUs() - aheadUs) <= error + 1,
        offset.aheadUs() + " is not " + aheadUs + " within " + error);
  }

  @Test
  void whoWasNotAskedIsNotKnown() {
    assertEquals(Long.MAX_VALUE, offset.errorUs(5));
  }

  @Test
  void anHourIsFoundWhateverTheWaysTake() {
    Random random = new Random(3);
    for (long second = 1; second < 300; second++) {
      exchange(second * SECOND, HOUR, random.nextInt(80_000), random.nextInt(80_000));
      isWithinItsError(second * SECOND + 160_000, HOUR);
    }
    assertTrue(offset.errorUs(300 * SECOND) < 60_000, "the shortest of many is short");
  }

  @Test
  void aShortExchangeIsBelievedRatherThanLongOnesAfterIt() {
    exchange(SECOND, -HOUR, 100, 100);
    exchange(2 * SECOND, -HOUR, 90_000, 5);
    assertEquals(-HOUR, offset.aheadUs(), 1);
    assertTrue(offset.errorUs(2 * SECOND) < 1_000);
  }

  @Test
  void aClockThatWasSetIsFollowed() {
    exchange(SECOND, 0, 100, 100);
    exchange(2 * SECOND, HOUR, 2_000, 2_000);
    isWithinItsError(2 * SECOND, HOUR);
    assertEquals(HOUR, offset.aheadUs(), 2_000);
    exchange(3 * SECOND, -HOUR, 5_000, 100);
    isWithinItsError(3 * SECOND, -HOUR);
  }

  @Test
  void whatIsKnownGrowsOld() {
    exchange(SECOND, 7, 100, 100);
    long young = offset.errorUs(SECOND + 200);
    assertTrue(offset.errorUs(31 * SECOND) >= young + 2_900, "clocks drift");
    assertEquals(Long.MAX_VALUE, offset.errorUs(100 * SECOND));
  }

  @Test
  void driftingClocksAreFollowed() {
    double ahead = 0;
    for (long second = 1; second < 600; second++) {
      ahead += 50; // 50 µs in a second, as bad quartz does
      exchange(second * SECOND, Math.round(ahead), 300, 200);
      isWithinItsError(second * SECOND + 500, Math.round(ahead));
    }
  }
}
