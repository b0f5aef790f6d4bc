package io.galop.persist.history;

import io.galop.record.IdTable;
import io.galop.record.Placed;
import io.galop.record.Position;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which of several attempts to publish a record an answer shows. A publisher that has no answer
 * repeats; where the owner died meanwhile two nodes have placed the record, each at its own
 * Position, and at its own time if the publisher gave none. The one with the first Position stays,
 * as in stores.
 *
 * <p>It knows the records of the pages that are loaded and those that were written: its size is
 * bounded by the limit of the answer and one page of each node. Of attempts that are further apart
 * the one that comes first in the answer stays.
 */
final class Attempts {
  private static final int FIRST_CAPACITY = 64;

  private final IdTable ids = new IdTable();
  private final BitSet written = new BitSet();

  /** By the record's number, the first attempt that is known; null where it was written. */
  private @Nullable Placed[] first = new Placed[FIRST_CAPACITY];

  /** A page with it was loaded. */
  void learn(Placed placed) {
    int number = ids.number(placed.record());
    if (number == first.length) {
      first = Arrays.copyOf(first, 2 * number);
    }
    if (first[number] == null || !written.get(number) && isBefore(placed, first[number])) {
      first[number] = placed;
    }
  }

  /** Forgets what pages hold that is not written yet; they are to be learned again. */
  void forgetUnwritten() {
    Arrays.fill(first, null);
  }

  /** Whether it is to be written, which it then is: once for each record. */
  boolean takes(Placed placed) {
    int number = ids.number(placed.record());
    if (written.get(number) || first[number] != null && isBefore(first[number], placed)) {
      return false;
    }
    written.set(number);
    first[number] = null;
    return true;
  }

  private static boolean isBefore(Placed a, Placed b) {
    Position one = a.position();
    int order = one.compareTo(b.position());
    return order != 0 ? order < 0 : a.record().timeUs() < b.record().timeUs();
  }
}
