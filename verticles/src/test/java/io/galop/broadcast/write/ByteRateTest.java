package io.galop.broadcast.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How many bytes leave by the clock. */
class ByteRateTest {
  private static final long MS = 1_000_000;

  /** What leaves of frames of a size until a time, looked at each millisecond. */
  private static long sent(ByteRate rate, int frame, long fromMs, long untilMs) {
    long sent = 0;
    for (long ms = fromMs; ms < untilMs; ms++) {
      while (rate.isOpen(ms * MS)) {
        rate.spend(frame);
        sent += frame;
      }
    }
    return sent;
  }

  @Test
  void aSecondsWorthLeavesAtOnceAndThenAsMuchAsComes() {
    ByteRate rate = new ByteRate(10_000, 0);
    assertEquals(10_000, sent(rate, 100, 0, 1), 100);
    assertEquals(100_000, sent(rate, 100, 1, 10_001), 200);
    assertEquals(10_000, sent(rate, 100, 60_000, 60_001), 100);
  }

  @Test
  void whatIsLargerThanASecondsWorthLeavesAndKeepsTheNextBack() {
    ByteRate rate = new ByteRate(1_000, 0);
    assertTrue(rate.isOpen(0));
    rate.spend(5_000);
    assertFalse(rate.isOpen(3_999 * MS));
    assertTrue(rate.isOpen(4_001 * MS));
  }

  @Test
  void whatIsOwedIsOverInTenSeconds() {
    ByteRate rate = new ByteRate(100, 0);
    rate.spend(10_000_000);
    assertFalse(rate.isOpen(9_999 * MS));
    assertTrue(rate.isOpen(10_001 * MS));
  }

  @Test
  void anotherRateKeepsWhatIsOwed() {
    ByteRate rate = new ByteRate(1_000, 0);
    rate.spend(3_000);
    rate.change(100_000, 0);
    assertEquals(100_000, rate.bytesPerSecond());
    assertFalse(rate.isOpen(19 * MS));
    assertTrue(rate.isOpen(21 * MS));
    rate.change(100, 10_000 * MS);
    assertEquals(100, sent(rate, 10, 10_000, 10_001), 10);
  }
}
