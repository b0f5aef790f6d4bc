package io.galop.persist.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Page;
import io.galop.persist.ram.RamTier;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
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
    Page page = TailPage.read(from, TailPage.start(from, head), from.tail().head(), 1 << 20);
    TailPage.copy(page, into, 0);
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
}
