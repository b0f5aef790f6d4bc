package io.galop.persist.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cluster.LocalCluster;
import io.galop.cluster.Member;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The numbers of epochs grow by what is known, and no two nodes pick one. */
class EpochNumberTest {
  private static final long ONE = new Member("one", "one", Set.of()).epochTag();
  private static final long TWO = new Member("two", "two", Set.of()).epochTag();

  @Test
  void eachIsLargerThanAllThatAreKnown() {
    long known = 0;
    for (int i = 0; i < 1_000; i++) {
      long next = EpochNumber.next(known, i % 2 == 0 ? ONE : TWO);
      assertTrue(next > known + 1, "doubt is logged right before it");
      known = next;
    }
  }

  @Test
  void theyGoOnFromMillisecondsSince1970() {
    long old = 1_763_800_000_001L;
    long next = EpochNumber.next(old, 2);
    assertTrue(next > old + 1);
    assertTrue(EpochNumber.next(next, 2) > next);
  }

  @Test
  void twoSidesOfASplitPickTwoNumbers() {
    long known = EpochNumber.next(0, ONE);
    Set<Long> begun = new HashSet<>();
    for (long from : new long[] {0, known, 1_763_800_000_001L}) {
      begun.add(EpochNumber.next(from, ONE));
      begun.add(EpochNumber.next(from, ONE) - 1);
      begun.add(EpochNumber.next(from, TWO));
      begun.add(EpochNumber.next(from, TWO) - 1);
    }
    assertEquals(12, begun.size(), "nor is doubt about one the other");
  }

  /** A disk that is lost must not make a start of the same node begin the same epochs again. */
  @Test
  void eachStartOfANodeHasItsOwn() {
    Set<Long> tags = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      long tag = new LocalCluster("n", Set.of(), 1).self().epochTag();
      assertEquals(0, tag % 2);
      assertTrue(tag > 0 && tag < 1L << 32);
      tags.add(tag);
    }
    assertEquals(100, tags.size());
  }
}
