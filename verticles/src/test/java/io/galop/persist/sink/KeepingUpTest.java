package io.galop.persist.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.jvm.Moment;
import io.galop.node.Readiness;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What operators are told of a store, by clocks that the test moves. */
class KeepingUpTest {
  private static final KeepingUp.Lag LAG = new KeepingUp.Lag(7, 700, 3);

  private Moment now = new Moment(1_800_000_000_000L, -500);
  private final Readiness readiness = new Readiness();
  private final KeepingUp keepingUp = new KeepingUp(readiness, "sink s", "s", () -> now);

  private void later(long wallMs, long steadyMs) {
    now = new Moment(now.wallMs() + wallMs, now.steadyMs() + steadyMs);
    keepingUp.look(LAG);
  }

  @Test
  void tellsOfAStoreThatIsAwayThoughTheClockIsSetBack() {
    keepingUp.onFailed("refused");
    later(-3_600_000, 1_900);
    assertEquals(Map.of(), readiness.warnings(), "it may take the same a moment later");
    later(200, 200);
    String told = readiness.warnings().get("sink s");
    assertTrue(told.contains("has taken nothing since 2027-01-15T08:00:00Z (refused)"), told);
  }

  @Test
  void tellsNothingOfAFailureThatIsNewThoughTheClockIsSetAhead() {
    keepingUp.onFailed("refused");
    later(3_600_000, 100);
    keepingUp.onAnswer();
    keepingUp.look(LAG);
    assertEquals(Map.of(), readiness.warnings());
  }
}
