package io.galop.persist.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sink.Stretch.Kept;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The last records of intervals, by a clock that the test moves. */
class LatestRecordsTest {
  private final Stretch stretch =
      new Stretch(LogPosition.START, new SinkBook(SinkFixture.book(), SinkFixture.book()));
  private final List<String> kept = new ArrayList<>();
  private final List<Kept> released = new ArrayList<>();
  private int early;

  private LatestRecords latest(int maxTopics, long maxBytes) {
    return new LatestRecords(
        maxTopics,
        maxBytes,
        each -> {
          kept.add(each.placed().record().id());
          released.add(each);
        },
        () -> early++);
  }

  private Kept record(String topic, int number, long timeMs) {
    stretch.add();
    Record record = new Record(topic + number, topic, timeMs * 1000, new byte[] {'{', '}'});
    return new Kept(new Placed(new Position(0, 1, number), record), stretch, 10);
  }

  private static long at(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  @Test
  void eachIsDueAfterItsOwnTimeWhateverCameBefore() {
    LatestRecords latest = latest(100, 1000);
    latest.offer(record("slow", 1, 0), 5_000, at(0));
    latest.offer(record("quick", 1, 0), 1_000, at(100));
    latest.offer(record("slow", 2, 1), 5_000, at(200));
    latest.offer(record("other", 1, 0), 1_000, at(300));
    latest.expire(at(1_099));
    assertEquals(List.of(), kept);
    latest.expire(at(1_100));
    assertEquals(List.of("quick1"), kept);
    latest.expire(at(4_999));
    assertEquals(List.of("quick1", "other1"), kept);
    assertFalse(latest.isEmpty());
    latest.expire(at(5_000));
    assertEquals(List.of("quick1", "other1", "slow2"), kept);
    assertTrue(latest.isEmpty());
    assertFalse(stretch.isSettled());
    released.forEach(each -> each.from().settle());
    assertTrue(stretch.isSettled(), "what was replaced has been settled too");
  }

  @Test
  void anotherIntervalOfEventTimeReleasesTheOneBefore() {
    LatestRecords latest = latest(100, 1000);
    latest.offer(record("t", 1, 10), 1_000, at(0));
    latest.offer(record("t", 2, 5), 1_000, at(1)); // older, of the same interval
    latest.offer(record("t", 3, 1_500), 1_000, at(2));
    assertEquals(List.of("t1"), kept);
    latest.expire(at(1_001));
    assertEquals(List.of("t1"), kept);
    latest.expire(at(1_002));
    assertEquals(List.of("t1", "t3"), kept);
  }

  @Test
  void beyondTheBoundsTheOneThatHasWaitedLongestIsKept() {
    LatestRecords byTopics = latest(2, 1000);
    byTopics.offer(record("a", 1, 0), 5_000, at(0));
    byTopics.offer(record("b", 1, 0), 1_000, at(1));
    byTopics.offer(record("c", 1, 0), 9_000, at(2));
    byTopics.offer(record("d", 1, 0), 5_000, at(3));
    assertEquals(List.of("a1", "b1"), kept);
    kept.clear();
    LatestRecords byBytes = latest(100, 25);
    byBytes.offer(record("a", 1, 0), 5_000, at(0));
    byBytes.offer(record("b", 1, 0), 1_000, at(1));
    byBytes.offer(record("c", 1, 0), 5_000, at(2));
    assertEquals(List.of("a1"), kept);
    assertEquals(3, early);
  }

  /** Looking at each of them each time would take minutes. */
  @Test
  @Timeout(180)
  void whatIsNotDueCostsNothing() {
    LatestRecords latest = latest(1_000_000, Long.MAX_VALUE);
    for (int n = 0; n < 100_000; n++) {
      latest.offer(record("t" + n, 1, 0), n % 2 == 0 ? 60_000 : 90_000, at(0));
    }
    for (int n = 0; n < 40_000; n++) {
      latest.expire(at(59_000));
    }
    assertEquals(List.of(), kept);
  }
}
