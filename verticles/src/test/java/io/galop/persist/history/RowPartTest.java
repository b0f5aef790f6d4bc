package io.galop.persist.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A time is parted into records and roll-ups without a hole and without anything twice. */
class RowPartTest {
  private static final long M = RowPart.MINUTE_US;
  private static final long ALWAYS = Long.MIN_VALUE;
  private static final long NEVER = Long.MAX_VALUE;

  private static RowPart records(long from, long to) {
    return new RowPart(from, to, false);
  }

  private static RowPart rolled(long from, long to) {
    return new RowPart(from, to, true);
  }

  @Test
  void wholeMinutesAreRolled() {
    assertEquals(List.of(rolled(ALWAYS, NEVER)), RowPart.of(ALWAYS, NEVER, ALWAYS, false));
    assertEquals(List.of(records(ALWAYS, NEVER)), RowPart.of(ALWAYS, NEVER, NEVER, false));
    assertEquals(
        List.of(records(ALWAYS, 5 * M - 1), rolled(5 * M, NEVER)),
        RowPart.of(ALWAYS, NEVER, 5 * M, false));
    assertEquals(List.of(rolled(M, 3 * M - 1)), RowPart.of(M, 3 * M - 1, ALWAYS, false));
    assertEquals(
        List.of(records(1, M - 1), rolled(M, 3 * M - 1), records(3 * M, 3 * M)),
        RowPart.of(1, 3 * M, ALWAYS, false));
    assertEquals(
        List.of(records(3 * M, 3 * M), rolled(M, 3 * M - 1), records(1, M - 1)),
        RowPart.of(1, 3 * M, ALWAYS, true));
    assertEquals(List.of(records(1, M + 5)), RowPart.of(1, M + 5, 2 * M, false));
    assertEquals(List.of(records(1, M - 1)), RowPart.of(1, M - 1, ALWAYS, false));
  }

  @Test
  void anyTimeIsCoveredOnce() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      long a = random.nextInt(40) * M / 4 - 5 * M;
      long b = random.nextInt(40) * M / 4 - 5 * M - random.nextInt(2);
      long since = random.nextInt(12) * M - 5 * M;
      boolean isBack = random.nextBoolean();
      List<RowPart> parts =
          new ArrayList<>(RowPart.of(Math.min(a, b), Math.max(a, b), since, isBack));
      if (isBack) {
        Collections.reverse(parts);
      }
      assertEquals(Math.min(a, b), parts.get(0).fromUs());
      assertEquals(Math.max(a, b), parts.get(parts.size() - 1).toUs());
      for (int p = 0; p < parts.size(); p++) {
        RowPart part = parts.get(p);
        assertTrue(part.fromUs() <= part.toUs(), parts::toString);
        assertTrue(p == 0 || parts.get(p - 1).toUs() + 1 == part.fromUs(), parts::toString);
        if (part.isRolled()) {
          assertTrue(part.fromUs() >= since && part.fromUs() % M == 0, parts::toString);
          assertEquals(0, (part.toUs() + 1) % M, parts::toString);
        }
      }
    }
  }

  @Test
  void bucketsOfWholeMinutesThatHoursHaveAreRolled() {
    for (long every : new long[] {M, 5 * M, 30 * M, 60 * M, 120 * M, 1_440 * M}) {
      assertTrue(RowPart.canBeRolled(every), every / M + " minutes");
    }
    for (long every : new long[] {0, 1_000_000, M + 1, 7 * M, 90 * M}) {
      assertFalse(RowPart.canBeRolled(every), every + " us");
    }
  }
}
