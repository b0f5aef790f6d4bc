package io.galop.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a consumer that the cluster lacks is entered again, and when its node gives up. */
class RegistrationWatchTest {
  private static final Set<String> LOST = Set.of("a/1");

  private final RegistrationWatch watch = new RegistrationWatch();

  @Test
  void whatIsMissingOnceMayBeOnItsWay() {
    assertEquals(Set.of(), watch.look(LOST).again());
    assertEquals(Set.of(), watch.look(Set.of()).again());
    assertEquals(Set.of(), watch.look(LOST).again(), "not in a row");
  }

  @Test
  void whatIsLostIsCountedOnceAndEnteredUntilItIsThere() {
    watch.look(LOST);
    assertEquals(new RegistrationWatch.Verdict(LOST, 1, false), watch.look(LOST));
    assertEquals(new RegistrationWatch.Verdict(LOST, 0, false), watch.look(LOST));
    assertEquals(new RegistrationWatch.Verdict(Set.of(), 0, false), watch.look(Set.of()));
  }

  @Test
  void aNodeWhoseConsumersAreNotKeptGivesUpWithin15Seconds() {
    for (int look = 1; look < RegistrationWatch.GIVE_UP_AT; look++) {
      assertFalse(watch.look(LOST).isGivenUp());
    }
    assertTrue(watch.look(LOST).isGivenUp());
    assertTrue(RegistrationWatch.GIVE_UP_AT * RegistrationWatch.LOOK_MS < 15_000);
  }
}
