package io.galop.persist.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Page;
import io.galop.persist.ram.RamTier;
import io.galop.persist.ram.Resume;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is copied from one memory to another. */
class TailPageTest {
  private static final long LOW = 1L << 32;
  private static final long MIDDLE = 2L << 32;
  private static final long HIGH = 3L << 32;

  private final RamTier tier = new RamTier(1 << 20, 1);

  @AfterEach
  void close() {
    tier.close();
  }

  private ShardMemory memory() {
    return new ShardMemory(tier, 0, 64, 64, 1 << 20);
  }

  private static void add(ShardMemory to, long epoch, long offset, String id) {
    Record record = new Record(id, "t", offset, new byte[] {'{', '}'});
    to.restore(new Batch(0, epoch, offset, List.of(record)), 0);
  }

  private static void copy(ShardMemory from, ShardMemory into) {
    Position head = into.tail().head();
    copy(from, into, TailPage.start(from, head), true, 1 << 20);
  }

  private static void copy(
      ShardMemory from, ShardMemory into, Resume start, boolean isAdjacent, int pageBytes) {
    Page page = TailPage.read(from, start, from.tail().head(), pageBytes);
    boolean isNextAdjacent = TailPage.copy(page, isAdjacent, into, 0);
    if (!page.next().isEmpty()) {
      Resume next = new Resume(Position.parse(page.next()), true);
      copy(from, into, next, isNextAdjacent, pageBytes);
    }
  }

  @Test
  void whatFollowsOnWhatIsHereIsComplete() {
    ShardMemory from = memory();
    from.begin(LOW, Position.none(0));
    add(from, LOW, 1, "a");
    ShardMemory into = memory();
    copy(from, into);
    from.begin(MIDDLE, new Position(0, LOW, 1));
    add(from, MIDDLE, 1, "b");
    copy(from, into);
    assertTrue(into.resume(new Position(0, LOW, 1)).complete());
    assertEquals(new Position(0, MIDDLE, 1), into.tail().head());
  }

  /** A node without its disk began anew: its second epoch follows on its first, not on ours. */
  @Test
  void anEpochDoesNotFollowOnOneThatIsOnlyTheNextByNumber() {
    ShardMemory from = memory();
    from.begin(LOW, Position.none(0));
    add(from, LOW, 1, "unseen");
    from.begin(HIGH, new Position(0, LOW, 1));
    add(from, HIGH, 1, "b");
    ShardMemory into = memory();
    into.begin(MIDDLE, Position.none(0));
    add(into, MIDDLE, 1, "a");
    copy(from, into);
    assertFalse(into.resume(new Position(0, MIDDLE, 1)).complete());
    Record again = new Record("unseen", "t", 1, new byte[] {'{', '}'});
    assertEquals(List.of(), into.takeNew(List.of(again)), "it is kept where it is");
  }

  /** The page that has the gap may end before the first epoch that can be begun here. */
  @Test
  void aGapIsRememberedFromPageToPage() {
    ShardMemory from = memory();
    from.begin(LOW, Position.none(0));
    for (int i = 1; i <= 20; i++) {
      add(from, LOW, i, "unseen" + i);
    }
    from.begin(HIGH, new Position(0, LOW, 20));
    add(from, HIGH, 1, "b");
    for (int pageBytes = 1; pageBytes < 4_000; pageBytes += 97) {
      ShardMemory into = memory();
      into.begin(MIDDLE, Position.none(0));
      add(into, MIDDLE, 1, "a");
      copy(from, into, TailPage.start(from, into.tail().head()), true, pageBytes);
      assertFalse(into.resume(new Position(0, MIDDLE, 1)).complete(), pageBytes + " bytes");
      assertEquals(new Position(0, HIGH, 1), into.tail().head());
    }
  }

  @Test
  void aGapIsRememberedWhereTheLastEpochHasNoRecords() {
    ShardMemory from = memory();
    from.begin(LOW, Position.none(0));
    add(from, LOW, 1, "unseen");
    ShardMemory into = memory();
    into.begin(MIDDLE, Position.none(0));
    add(into, MIDDLE, 1, "a");
    Placed unseen =
        new Placed(
            new Position(0, LOW, 1), from.tail().after(Position.none(0), 100).records().get(0));
    Page gap = new Page(false, new Position(0, LOW, 1), "0.1-1", List.of(unseen));
    boolean isAdjacent = TailPage.copy(gap, true, into, 0);
    TailPage.copy(new Page(true, new Position(0, HIGH, 0), "", List.of()), isAdjacent, into, 0);
    assertFalse(into.resume(new Position(0, MIDDLE, 1)).complete());
  }
}
