package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Position;
import io.galop.record.Record;
import org.junit.jupiter.api.Test;

class ShownRecordsTest {
  private final ShownRecords shown = new ShownRecords();

  private long add(long epoch, long offset, String id) {
    return shown.add(new Position(0, epoch, offset), new Record(id, "t", 0, new byte[0]));
  }

  @Test
  void saysInWhichEpochARecordWasShownFirst() {
    assertEquals(ShownRecords.NEVER, add(3, 1, "a"));
    assertEquals(ShownRecords.NEVER, add(3, 2, "b"));
    assertEquals(3, add(5, 1, "b"));
    assertEquals(ShownRecords.NEVER, add(5, 2, "c"));
    assertEquals(ShownRecords.NEVER, add(9, 1, "d"));
    assertEquals(3, add(9, 2, "a"));
    assertEquals(5, add(9, 3, "c"));
    assertEquals(9, add(9, 4, "d"));
    assertEquals(3, add(9, 5, "b"), "the first time counts");
  }

  @Test
  void knowsTheEpochsOfAllThatItRemembers() {
    int records = 3 * ShownRecords.MAX_RECORDS;
    for (int n = 0; n < records; n++) {
      assertEquals(ShownRecords.NEVER, add(1 + n / 1000, 1 + n % 1000, "r" + n));
    }
    for (int n = records - ShownRecords.MAX_RECORDS; n < records; n += 7) {
      assertEquals(1 + n / 1000, add(100, n, "r" + n));
    }
    assertEquals(ShownRecords.NEVER, add(100, records, "r0"));
  }
}
