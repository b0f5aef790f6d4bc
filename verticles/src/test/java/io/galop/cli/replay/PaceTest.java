package io.galop.cli.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
  private static final long SECOND_US = 1_000_000;
  private final VirtualClock clock = new VirtualClock();

  @Test
  void realTimeKeepsTheDistanceOfEventTimes() {
    Pace pace = Pace.parse("1", clock);
    assertEquals(0, pace.nanosUntilDue(100 * SECOND_US));
    clock.sleep(TimeUnit.SECONDS.toNanos(2));
    assertEquals(TimeUnit.SECONDS.toNanos(3), pace.nanosUntilDue(105 * SECOND_US));
  }

  @Test
  void aFactorDividesIt() {
    Pace pace = Pace.parse("10", clock);
    pace.nanosUntilDue(0);
    assertEquals(TimeUnit.MILLISECONDS.toNanos(500), pace.nanosUntilDue(5 * SECOND_US));
  }

  @Test
  void whatIsLateOrWithoutTimeIsDueAtOnce() {
    Pace pace = Pace.parse("1", clock);
    pace.nanosUntilDue(100 * SECOND_US);
    assertEquals(-50 * SECOND_US * 1_000, pace.nanosUntilDue(50 * SECOND_US));
    assertEquals(0, pace.nanosUntilDue(Source.NO_TIME));
  }

  @Test
  void maxNeverWaits() {
    Pace pace = Pace.parse("max", clock);
    pace.nanosUntilDue(0);
    assertEquals(0, pace.nanosUntilDue(1_000_000 * SECOND_US));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "fast", "NaN", "Infinity", ""})
  void otherSpeedsAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Pace.parse(text, clock));
  }
}
