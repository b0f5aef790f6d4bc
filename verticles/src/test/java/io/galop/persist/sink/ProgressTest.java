package io.galop.persist.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.log.file.LogPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final int UNDER_WAY = 10;
  private final Progress progress = new Progress(LogPosition.START);
  private int read;

  /** The next piece of the Log, with one record to be stored. */
  private Stretch next() {
    Stretch stretch =
        new Stretch(
            new LogPosition(1, ++read), new SinkBook(SinkFixture.book(), SinkFixture.book()));
    stretch.add();
    progress.add(stretch);
    return stretch;
  }

  @Test
  void piecesThatSettleBehindOneThatStaysOpenTakeNoRoom() {
    Stretch early = next();
    Stretch held = next();
    Deque<Stretch> underWay = new ArrayDeque<>();
    int most = 0;
    while (read < 100_000) {
      underWay.addLast(next());
      if (underWay.size() > UNDER_WAY) {
        underWay.removeFirst().settle();
      }
      most = Math.max(most, progress.pieces());
    }
    assertTrue(most <= 100, "kept " + most);
    assertEquals(LogPosition.START, progress.move());
    assertEquals(new LogPosition(1, read), progress.end());
    early.settle();
    assertEquals(early.end(), progress.move());
    held.settle();
    assertEquals(new LogPosition(1, read - UNDER_WAY), progress.move());
    underWay.forEach(Stretch::settle);
    assertEquals(new LogPosition(1, read), progress.move());
    assertEquals(0, progress.pieces());
  }

  @Test
  void manyThatStayOpenAreAllKept() {
    Deque<Stretch> open = new ArrayDeque<>();
    while (read < 1_000) {
      open.addLast(next());
      next().settle();
    }
    while (!open.isEmpty()) {
      Stretch first = open.removeFirst();
      long before = first.end().offset() - 1;
      assertEquals(before, progress.move().offset());
      first.settle();
    }
    assertEquals(read, progress.move().offset());
  }
}
