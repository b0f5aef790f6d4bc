package io.galop.loadtest.experiments.notifier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A way that told nobody anything is no result. */
class SpentTest {
  private static Spent seen(long seen) {
    return new Spent("one poll door", 100, 0.1, 100, 30, 10, 0.2, seen, 1, 2);
  }

  @Test
  void silenceIsNamed() {
    assertEquals(Optional.empty(), seen(1).silence());
    assertEquals(
        "No session saw a change (one poll door, 100 sessions): its figures say nothing.",
        seen(0).silence().orElseThrow());
  }
}
