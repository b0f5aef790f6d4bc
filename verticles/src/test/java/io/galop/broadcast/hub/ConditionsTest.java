package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.ring.Entry;
import io.galop.config.broadcast.WhereConfig;
import io.galop.expression.RecordFilter;
import io.galop.latency.Lateness;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final SimpleMeterRegistry METERS = new SimpleMeterRegistry();

  private final AtomicLong nanos = new AtomicLong();
  private final Conditions conditions = conditions(2, nanos::get);

  static Conditions conditions(int most, LongSupplier clock) {
    return new Conditions(
        new WhereConfig(most, 100, 20), new BroadcastMeters(METERS, new Lateness("test")), clock);
  }

  private static RecordFilter where(String text) throws Exception {
    return RecordFilter.ofStranger(text);
  }

  private static Selection selection(String where) throws Exception {
    return Selection.ALL.where(Optional.of(where(where)));
  }

  private static Entry entry(long sequence, int value) {
    byte[] data = ("{\"n\":" + value + ",\"secret\":9}").getBytes(StandardCharsets.UTF_8);
    Entry entry = Entry.of(new Position(0, 1, sequence), new Record("i", "a/1", 5, data));
    entry.number(sequence);
    return entry;
  }

  @Test
  void passesTheRecordsOfWhichItIsTrue() throws Exception {
    RecordCondition condition = conditions.use(where("data.n > 1"), Set.of());
    assertTrue(condition.passes(entry(0, 2)));
    assertFalse(condition.passes(entry(1, 1)));
    assertTrue(condition.passes(entry(-1, 2)), "one that was never in the ring");
    assertFalse(conditions.use(where("data.m > 1"), Set.of()).passes(entry(2, 2)), "no such field");
    assertTrue(condition.passes(Entry.stale("a/1", 0, 0)), "a word about the topic");
  }

  /** The answer of the first is the answer: the record of a number is always the same one. */
  @Test
  void asksOnceForARecordOfTheRing() throws Exception {
    RecordCondition condition = conditions.use(where("data.n > 1"), Set.of());
    assertTrue(condition.passes(entry(7, 2)));
    assertTrue(condition.passes(entry(7, 0)));
    assertFalse(condition.passes(entry(7 + (1 << 14), 0)));
    assertTrue(condition.passes(entry(7, 2)), "asked again after another took its place");
    assertSame(condition, conditions.use(where("data.n > 1"), Set.of()));
  }

  /** Else a condition would tell what the token hides. */
  @Test
  void seesNothingOfWhatTheViewerMayNotSee() throws Exception {
    RecordCondition blind = conditions.use(where("has(data.secret)"), Set.of("secret"));
    RecordCondition sees = conditions.use(where("has(data.secret)"), Set.of());
    Entry entry = entry(0, 1);
    assertFalse(blind.passes(entry));
    assertTrue(sees.passes(entry));
  }

  @Test
  void allowsSoManyAtATime() throws Exception {
    conditions.use(where("data.n > 1"), Set.of());
    conditions.use(where("data.n > 2"), Set.of());
    assertEquals("", conditions.refusal(selection("data.n > 1")), "one that is there");
    assertNotEquals("", conditions.refusal(selection("data.n > 3")));
    assertEquals("", conditions.refusal(Selection.ALL));
    conditions.letGo(where("data.n > 2"), Set.of());
    assertEquals("", conditions.refusal(selection("data.n > 3")));
  }

  /** The budget is 200 ms of a second. */
  @Test
  void endsTheCostliestBeyondTheBudget() throws Exception {
    RecordCondition cheap = conditions.use(where("data.n > 1"), Set.of());
    RecordCondition costly = conditions.use(where("data.n > 2"), Set.of());
    conditions.spent(cheap, TimeUnit.MILLISECONDS.toNanos(95));
    conditions.spent(costly, TimeUnit.MILLISECONDS.toNanos(105));
    assertFalse(conditions.takeCostly());
    conditions.spent(costly, TimeUnit.MILLISECONDS.toNanos(1));
    assertTrue(conditions.takeCostly());
    assertFalse(conditions.takeCostly(), "it is told once");
    assertTrue(costly.isCostly());
    assertFalse(cheap.isCostly());
    assertFalse(costly.passes(entry(1, 3)));
    assertNotEquals("", conditions.refusal(selection("data.n > 2")));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
    assertEquals("", conditions.refusal(selection("data.n > 2")));
  }

  /** A regular expression over a million letters takes a tenth of a second. */
  @Test
  void endsWhatTakesLongForEachRecord() throws Exception {
    RecordCondition costly =
        conditions.use(RecordFilter.of("data.t.matches('(x+x+)+y')"), Set.of());
    String text = "{\"t\":\"" + "x".repeat(1_000_000) + "\"}";
    int asked = 0;
    while (!costly.isCostly() && asked < 10) {
      byte[] data = text.getBytes(StandardCharsets.UTF_8);
      costly.passes(Entry.of(new Position(0, 1, asked++), new Record("i", "a/1", 5, data)));
    }
    assertTrue(costly.isCostly(), "after " + asked);
  }

  /** Else a condition that stops the loop for a second would begin a new second each time. */
  @Test
  void whatTakesASecondCountsInTheNext() throws Exception {
    RecordCondition condition = conditions.use(where("data.n > 1"), Set.of());
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1001));
    conditions.spent(condition, TimeUnit.MILLISECONDS.toNanos(1001));
    assertTrue(conditions.takeCostly());
  }

  @Test
  void whatWasSpentIsForgottenAfterASecond() throws Exception {
    RecordCondition condition = conditions.use(where("data.n > 1"), Set.of());
    for (int second = 0; second < 3; second++) {
      conditions.spent(condition, TimeUnit.MILLISECONDS.toNanos(150));
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1001));
    }
    assertFalse(conditions.takeCostly());
  }

  /** Each is one more text of each record. */
  @Test
  void allowsSoManyChoicesOfFieldsAtATime() throws Exception {
    FilterIndex index = new FilterIndex(1, null, conditions);
    TopicFilter filter = TopicFilter.parse("a/#", 9);
    index.groupOf(filter, Selection.ALL.showing(Set.of("n")));
    index.groupOf(filter, Selection.ALL.showing(Set.of("m")));
    assertEquals("", index.refusal(Selection.ALL.showing(Set.of("n"))), "one that is there");
    assertNotEquals("", index.refusal(Selection.ALL.showing(Set.of("o"))));
    assertEquals("", index.refusal(Selection.ALL));
  }

  /** Whatever their conditions: what they see is the same. */
  @Test
  void aFrameIsMadeOnceForAllOfAFilterAndView() throws Exception {
    FilterIndex index = new FilterIndex(1, null, conditions);
    TopicFilter filter = TopicFilter.parse("a/#", 9);
    Set<String> fields = Set.of("n");
    Entry entry = entry(0, 2);
    FilterGroup whole = index.groupOf(filter, Selection.ALL);
    FilterGroup some = index.groupOf(filter, selection("data.n > 1"));
    FilterGroup part = index.groupOf(filter, Selection.ALL.showing(fields));
    FilterGroup somePart = index.groupOf(filter, selection("data.n > 1").showing(fields));
    assertSame(whole.frame(entry), some.frame(entry));
    assertSame(part.frame(entry), somePart.frame(entry));
    assertNotEquals(whole.frame(entry), part.frame(entry));
    assertEquals(4, index.matching("a/1").size());
    for (Selection each :
        List.of(
            selection("data.n > 1"),
            Selection.ALL.showing(fields),
            selection("data.n > 1").showing(fields),
            Selection.ALL)) {
      index.removeIfEmpty(filter, each);
    }
    assertEquals(List.of(), index.matching("a/1"));
    assertEquals("", conditions.refusal(selection("data.n > 3")), "nothing is left in use");
  }
}
