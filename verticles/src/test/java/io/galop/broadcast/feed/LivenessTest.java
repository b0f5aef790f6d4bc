package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Position;
import org.junit.jupiter.api.Test;

/** A way that is known to be cut is not waited for as long as a silence. */
class LivenessTest {
  private static final Position HEAD = new Position(0, 1, 1);
  private final Liveness liveness = new Liveness(0, 600_000);

  private void fresh() {
    liveness.begin();
    liveness.heard(HEAD);
    assertTrue(liveness.moved(HEAD));
  }

  @Test
  void aCutWayIsToldSoon() throws Exception {
    fresh();
    assertFalse(liveness.becomesStale(HEAD));
    liveness.cut();
    assertFalse(liveness.isStale(), "another way may be found first");
    Thread.sleep(400);
    assertTrue(liveness.becomesStale(HEAD));
  }

  @Test
  void anotherWayThatIsFoundInTimeTellsNobody() throws Exception {
    fresh();
    liveness.cut();
    liveness.answered();
    Thread.sleep(400);
    assertFalse(liveness.becomesStale(HEAD));
  }

  @Test
  void aCutOfWhatIsSilentAnywayChangesNothing() throws Exception {
    fresh();
    liveness.cut();
    Thread.sleep(400);
    liveness.cut();
    assertTrue(liveness.becomesStale(HEAD));
  }
}
