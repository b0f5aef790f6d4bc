package io.galop.ingest.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Reason;
import io.galop.record.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RejectedLinesTest {
  private static List<Rejection> all(Rejections.OfLines lines) {
    List<Rejection> taken = new ArrayList<>();
    while (lines.left() > 0) {
      assertEquals(lines.firstLine(), lines.firstLine());
      int first = lines.firstLine();
      Rejection next = lines.next();
      assertEquals(first, next.line());
      taken.add(next);
    }
    return taken;
  }

  /** In the order in which they come, by line; whoever is told all knows what was added. */
  @Test
  void givesBackByLineWhatWasAddedInAnyOrder() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      Rejections.OfLines lines = new Rejections.OfLines();
      TreeMap<Integer, Rejection> expected = new TreeMap<>();
      int count = random.nextInt(400);
      for (int i = 0; i < count; i++) {
        Reason reason = Reason.values()[random.nextInt(3)];
        int line = random.nextInt(1_000);
        Rejection one = new Rejection(line, reason, "detail " + random.nextInt(90));
        lines.add(one);
        expected.put(line, one);
      }
      assertEquals(count, lines.count());
      assertEquals(expected.size(), lines.left(), "seed " + seed);
      assertEquals(List.copyOf(expected.values()), all(lines), "seed " + seed);
    }
  }

  @Test
  void namesTheReasonAloneBeyondTheMostSentences() {
    Rejections.OfLines lines = new Rejections.OfLines();
    int count = 3 * Rejections.OfLines.MOST_DETAILS;
    for (int line = 1; line <= count; line++) {
      Reason reason = Reason.values()[line % Reason.values().length];
      lines.add(new Rejection(line, reason, "detail of " + line));
    }
    lines.add(new Rejection(count + 1, Reason.BAD_ID, "bad"));
    lines.add(new Rejection(count + 2, Reason.values()[1], "detail of 1"));
    List<Rejection> told = all(lines);
    assertEquals(count + 2, told.size());
    for (Rejection one : told.subList(0, count)) {
      assertEquals(Reason.values()[one.line() % Reason.values().length], one.reason());
      boolean isDescribed = one.line() <= Rejections.OfLines.MOST_DETAILS;
      assertEquals(isDescribed, one.detail().equals("detail of " + one.line()), one::detail);
      assertTrue(isDescribed || one.detail().contains("is not described"), one::detail);
    }
    assertEquals(Reason.BAD_ID, told.get(count).reason());
    assertEquals("detail of 1", told.get(count + 1).detail(), "it is known");
  }

  /** A line takes two bytes at least, and what is held of it three at most. */
  @Test
  void holdsLittleMoreThanWasSent() {
    Rejections.OfLines lines = new Rejections.OfLines();
    int count = 2_000_000;
    for (int line = 1; line <= count; line++) {
      Reason reason = line % 2 == 0 ? Reason.BAD_ID : Reason.BAD_TIME;
      lines.add(new Rejection(line, reason, "a detail" + line % 3));
    }
    assertEquals(count, lines.left());
    assertTrue(lines.bytes() <= 3 * count + 1_000, () -> lines.bytes() + " bytes");
  }
}
