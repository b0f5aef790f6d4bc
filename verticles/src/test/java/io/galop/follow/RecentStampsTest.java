package io.galop.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Position;
import io.galop.record.Record;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecentStampsTest {
  private final RecentStamps stamps = new RecentStamps();

  private void place(long epoch, long first, int records, long atUs) {
    Record record = new Record("r", "t", 0, new byte[0]);
    Batch batch = new Batch(0, epoch, first, Collections.nCopies(records, record));
    stamps.add(batch.stamped(new DoorStamp("n", "http", atUs)), atUs * 10);
  }

  private Optional<RecentStamps.Times> times(long epoch, long offset) {
    return stamps.find(new Position(0, epoch, offset));
  }

  private long placedMs(long epoch, long offset) {
    return times(epoch, offset).orElseThrow().placedMs();
  }

  @Test
  void eachRecordOfABatchHasItsTimes() {
    place(2, 1, 3, 11);
    place(2, 4, 1, 12);
    place(4, 1, 2, 13);
    assertEquals(110, placedMs(2, 1));
    assertEquals(110, placedMs(2, 3));
    assertEquals(120, placedMs(2, 4));
    assertEquals(130, placedMs(4, 2));
    assertEquals(12, times(2, 4).orElseThrow().stamp().atUs());
    assertEquals(Optional.empty(), times(2, 5), "never placed");
    assertEquals(Optional.empty(), times(4, 3));
    assertEquals(Optional.empty(), times(1, 1), "an epoch that is not known");
    assertEquals(Optional.empty(), times(3, 1));
  }

  @Test
  void whatIsLoggedIsNotedUpToAPosition() {
    place(2, 1, 3, 1);
    place(2, 4, 1, 2);
    place(4, 1, 1, 3);
    stamps.logged(new Position(0, 2, 3), 77);
    assertEquals(77, times(2, 2).orElseThrow().loggedMs());
    assertEquals(0, times(2, 4).orElseThrow().loggedMs());
    stamps.logged(new Position(0, 4, 1), 88);
    assertEquals(77, times(2, 2).orElseThrow().loggedMs(), "once");
    assertEquals(88, times(2, 4).orElseThrow().loggedMs());
    assertEquals(88, times(4, 1).orElseThrow().loggedMs());
  }

  @Test
  void theOldestAreForgotten() {
    for (int i = 1; i <= 2 * RecentStamps.MOST; i++) {
      place(2, i, 1, i);
      if (i % 3 == 0) {
        stamps.logged(new Position(0, 2, i), i);
      }
    }
    assertTrue(times(2, RecentStamps.MOST).isEmpty());
    assertTrue(times(2, RecentStamps.MOST + 1).isEmpty(), "its Batch may have begun before");
    assertEquals(10L * (RecentStamps.MOST + 2), placedMs(2, RecentStamps.MOST + 2));
    place(2, 2 * RecentStamps.MOST + 1, 1, 1);
    stamps.logged(new Position(0, 2, 2 * RecentStamps.MOST + 1), 99);
    assertEquals(99, times(2, 2 * RecentStamps.MOST + 1).orElseThrow().loggedMs());
  }
}
