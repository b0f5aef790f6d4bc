package io.galop.broadcast.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ShownRecordsTest {
  private final ShownRecords shown = new ShownRecords();

  private long add(long epoch, long offset, String id) {
    return add(epoch, offset, "t", id, "{}");
  }

  private long add(long epoch, long offset, String topic, String id, String data) {
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    return shown.add(new Position(0, epoch, offset), new Record(id, topic, 0, bytes));
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

  /** What was shown first is not what is kept. */
  @Test
  void aLaterAttemptWithOtherDataIsNews() {
    assertEquals(ShownRecords.NEVER, add(3, 1, "t", "a", "1"));
    assertEquals(ShownRecords.NEVER, add(5, 1, "t", "a", "2"));
    assertEquals(5, add(7, 1, "t", "a", "2"));
    assertEquals(ShownRecords.NEVER, add(9, 1, "t", "a", "1"));
  }

  /** Else screens would end with the later attempt, though the topic has gone on since. */
  @Test
  void whatFollowedOnOtherDataIsShownOnceMore() {
    for (String id : new String[] {"a", "b", "c", "d"}) {
      assertEquals(ShownRecords.NEVER, add(3, 1, "t", id, id));
    }
    assertEquals(ShownRecords.NEVER, add(3, 5, "u", "b", "b"));
    assertEquals(3, add(5, 1, "t", "a", "a"));
    assertEquals(ShownRecords.NEVER, add(5, 2, "t", "b", "other"));
    assertEquals(ShownRecords.NEVER, add(5, 3, "t", "c", "c"));
    assertEquals(3, add(5, 4, "u", "b", "b"), "another topic");
    assertEquals(5, add(7, 1, "t", "b", "other"));
    assertEquals(5, add(7, 2, "t", "c", "c"));
    assertEquals(ShownRecords.NEVER, add(7, 3, "t", "d", "d"), "not shown since");
  }

  @Test
  void remembersTheDataOfAllThatItRemembers() {
    int records = 3 * ShownRecords.MAX_RECORDS;
    for (int n = 0; n < records; n++) {
      assertEquals(ShownRecords.NEVER, add(1, 1 + n, "t" + n, "r", "" + n));
    }
    int oldest = records - ShownRecords.MAX_RECORDS;
    for (int n = oldest; n < records; n += 7) {
      assertEquals(1, add(2, n, "t" + n, "r", "" + n));
    }
    for (int n = oldest; n < records; n++) {
      assertEquals(ShownRecords.NEVER, add(3, n, "t" + n, "r", "other"));
    }
    for (int n = oldest; n < records; n++) {
      assertEquals(3, add(4, n, "t" + n, "r", "other"));
    }
  }
}
