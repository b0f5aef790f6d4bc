package io.galop.persist.log.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Position;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The newest epochs and their ends, whatever the order in which they are seen. */
class DurableEpochsTest {
  private final DurableEpochs epochs = new DurableEpochs();

  private static List<EpochEnd> ends(TreeMap<Long, Long> all) {
    return all.entrySet().stream().map(end -> new EpochEnd(end.getKey(), end.getValue())).toList();
  }

  /** Marks have larger numbers than the epoch whose records come behind them. */
  @Test
  void recordsComeBehindMarks() {
    epochs.begin(8, Position.none(0));
    epochs.saw(8, 1);
    epochs.begin(9, Position.none(0));
    epochs.saw(8, 2);
    epochs.saw(8, 3);
    assertEquals(3, epochs.lastOffset(8));
    assertEquals(0, epochs.lastOffset(9));
    assertEquals(-1, epochs.lastOffset(10));
    assertEquals(List.of(new EpochEnd(8, 3), new EpochEnd(9, 0)), epochs.oldestFirst());
    epochs.begin(12, new Position(0, 8, 5));
    assertEquals(5, epochs.lastOffset(8), "its end is told with the next");
  }

  @Test
  void theNewestAreKeptInAnyOrder() {
    assertTrue(epochs.isEmpty());
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      DurableEpochs some = new DurableEpochs();
      TreeMap<Long, Long> expected = new TreeMap<>();
      for (int i = 0; i < 300; i++) {
        long epoch = 1 + random.nextInt(i / 4 + 1);
        long offset = random.nextInt(50);
        some.saw(epoch, offset);
        expected.merge(epoch, offset, Math::max);
        if (expected.size() > DurableEpochs.KEPT) {
          expected.pollFirstEntry();
        }
        assertEquals(ends(expected), some.oldestFirst(), "seed " + seed);
        long end = expected.getOrDefault(epoch, -1L);
        assertEquals(end, some.lastOffset(epoch), "seed " + seed);
      }
    }
  }
}
