package io.galop.presence;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VacancyTest {
  private static final long AFTER = 10;

  @Test
  void isVacantWhenNobodyHasWatchedForLongEnough() {
    Vacancy vacancy = Vacancy.unknown(0);
    assertFalse(vacancy.isVacant());
    vacancy = vacancy.next(0, false, 9, AFTER);
    assertFalse(vacancy.isVacant(), "not yet");
    vacancy = vacancy.next(0, false, 10, AFTER);
    assertTrue(vacancy.isVacant());
    vacancy = vacancy.next(1, false, 11, AFTER);
    assertFalse(vacancy.isVacant(), "at once");
    vacancy = vacancy.next(0, false, 20, AFTER);
    assertFalse(vacancy.isVacant(), "somebody may come back");
    assertTrue(vacancy.next(0, false, 21, AFTER).isVacant());
  }

  @Test
  void onDoubtSomebodyWatches() {
    Vacancy vacancy = Vacancy.unknown(0).next(0, true, 100, AFTER);
    assertFalse(vacancy.isVacant());
    assertFalse(vacancy.next(0, false, 109, AFTER).isVacant(), "from the doubt on");
    assertTrue(vacancy.next(0, false, 110, AFTER).isVacant());
  }

  /** {@link System#nanoTime} may run over. */
  @Test
  void aClockMayRunOver() {
    Vacancy vacancy = Vacancy.unknown(Long.MAX_VALUE - 5);
    assertFalse(vacancy.next(0, false, Long.MAX_VALUE, AFTER).isVacant());
    assertTrue(vacancy.next(0, false, Long.MIN_VALUE + 5, AFTER).isVacant());
  }
}
