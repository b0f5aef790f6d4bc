package io.galop.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RecordQueueTest {
  private final AtomicInteger cancelled = new AtomicInteger();
  private final Seen seen = new Seen();

  private RecordQueue queue(int max, QueuePolicy policy) throws Exception {
    RecordQueue queue =
        new RecordQueue(max, policy, ForkJoinPool.commonPool(), cancelled::incrementAndGet);
    queue.subscribe(seen);
    assertEquals("subscribed", seen.next());
    return queue;
  }

  private static FeedRecord record(String topic, String id) {
    return new FeedRecord(
        topic, id, 1, "{}", Optional.empty(), OptionalLong.empty(), false, false, false);
  }

  @Test
  void handsOverWhatIsRequestedAndNoMore() throws Exception {
    RecordQueue queue = queue(10, QueuePolicy.END);
    queue.put(record("a", "1"));
    queue.put(record("a", "2"));
    assertTrue(seen.isSilent());
    assertEquals("1", seen.record().id());
    assertTrue(seen.isSilent());
    queue.end(null);
    assertEquals("2", seen.record().id());
    assertEquals("complete", seen.next());
  }

  @Test
  void endsWithWhatWaitsAndThenTheFailure() throws Exception {
    RecordQueue queue = queue(1, QueuePolicy.END);
    assertEquals(RecordQueue.Put.ACCEPTED, queue.put(record("a", "1")));
    assertEquals(RecordQueue.Put.FULL, queue.put(record("a", "2")));
    queue.end(new FeedException("slow_consumer", "too slow", 0));
    assertEquals("1", seen.record().id());
    assertEquals("slow_consumer", assertInstanceOf(FeedException.class, seen.next()).reason());
  }

  @Test
  void dropsTheOldestAndMarksTheGap() throws Exception {
    RecordQueue queue = queue(2, QueuePolicy.DROP_OLDEST);
    for (int i = 1; i <= 2; i++) {
      assertEquals(RecordQueue.Put.ACCEPTED, queue.put(record("a", "" + i)));
    }
    assertEquals(RecordQueue.Put.GAP, queue.put(record("a", "3")), "told once");
    assertEquals(RecordQueue.Put.ACCEPTED, queue.put(record("a", "4")));
    assertEquals(2, queue.missed());
    FeedRecord first = seen.record();
    assertEquals("3", first.id());
    assertTrue(first.isAfterGap());
    assertFalse(seen.record().isAfterGap());
  }

  @Test
  void keepsTheNewestOfEachTopicInTheOrderOfItsArrival() throws Exception {
    RecordQueue queue = queue(2, QueuePolicy.LATEST);
    queue.put(record("a", "1"));
    queue.put(record("b", "2"));
    assertEquals(RecordQueue.Put.ACCEPTED, queue.put(record("a", "3")));
    assertEquals("2", seen.record().id());
    assertEquals("3", seen.record().id());
    queue.put(record("a", "4"));
    queue.put(record("b", "5"));
    assertEquals(RecordQueue.Put.GAP, queue.put(record("c", "6")));
    assertEquals("5", seen.record().id());
  }

  @Test
  void keepsTheMarkOfAGapWhenANewerRecordReplacesTheMarkedOne() throws Exception {
    RecordQueue queue = queue(2, QueuePolicy.LATEST);
    queue.put(record("a", "1").afterGap());
    queue.put(record("a", "2"));
    queue.put(record("a", "3"));
    FeedRecord newest = seen.record();
    assertEquals("3", newest.id());
    assertTrue(newest.isAfterGap());
    queue.put(record("a", "4"));
    assertFalse(seen.record().isAfterGap());
  }

  @Test
  void endsBySubscribersThatCancelAskWronglyOrFail() throws Exception {
    RecordQueue queue = queue(2, QueuePolicy.END);
    seen.from.request(0);
    assertInstanceOf(IllegalArgumentException.class, seen.next());
    assertEquals(1, cancelled.get());
    Seen second = new Seen();
    queue.subscribe(second);
    assertEquals("subscribed", second.next());
    assertInstanceOf(IllegalStateException.class, second.next());
  }

  @Test
  void cancellingEndsIt() throws Exception {
    RecordQueue queue = queue(2, QueuePolicy.END);
    queue.put(record("a", "1"));
    seen.from.cancel();
    seen.from.request(5);
    queue.put(record("a", "2"));
    assertTrue(seen.isSilent());
    assertEquals(1, cancelled.get());
  }
}
