package io.galop.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.galop.bus.Push;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WantedRecordsTest {
  private static final long SECOND = 1_000_000_000L;
  private final WantedRecords wanted = new WantedRecords();

  private static Position at(long offset) {
    return new Position(0, 1, offset);
  }

  private static Push push(long session, long after, String... topics) {
    List<Record> records = new ArrayList<>();
    for (String topic : topics) {
      String id = topic + records.size();
      records.add(new Record(id, topic, 1, "{}".getBytes(StandardCharsets.UTF_8)));
    }
    Batch batch = new Batch(0, 1, after + 1, records);
    return new Push(session, at(after), at(after + topics.length), batch);
  }

  private void want(long version, String... filters) {
    want(version, 0, filters);
  }

  private void want(long version, long nowNanos, String... filters) {
    wanted.set(
        version, List.of(filters).stream().map(f -> TopicFilter.parse(f, 99)).toList(), nowNanos);
  }

  @Test
  void allIsSentBeforeAnythingIsSaid() {
    Push push = push(1, 0, "a", "b");
    assertSame(push, wanted.of(push, 0));
    assertEquals(List.of(), wanted.marks());
    wanted.set(3, null, 0);
    assertSame(push, wanted.of(push, 0));
    assertEquals(-1, wanted.filters());
  }

  @Test
  void whatIsLeftOutMovesThePosition() {
    want(2, "a", "x/#");
    Push part = wanted.of(push(1, 4, "a", "b", "x/1", "c"), 0);
    assertNotNull(part);
    assertNotNull(part.part());
    assertEquals(2, part.part().version());
    assertEquals(at(4), part.after());
    assertEquals(at(8), part.upTo());
    assertEquals(2, part.records());
    assertEquals(at(7), part.part().records().get(1).position());
  }

  @Test
  void whatNobodyWantsGoesWithTheNextOrAfterAWhile() {
    want(2, "a");
    assertNotNull(wanted.of(push(1, 0, "b"), 0), "the first of a session");
    assertNull(wanted.of(push(1, 1, "b", "b"), 1));
    assertNull(wanted.of(push(1, 3, "b"), 2));
    Push next = wanted.of(push(1, 4, "a"), 3);
    assertNotNull(next);
    assertEquals(at(1), next.after());
    assertEquals(at(5), next.upTo());
    assertNull(wanted.of(push(1, 5, "b"), 4));
    Push late = wanted.of(push(1, 6, "b"), SECOND);
    assertNotNull(late);
    assertEquals(at(5), late.after());
    assertNull(wanted.of(push(1, 7, "b"), SECOND));
    Push sign = wanted.of(push(1, 8), SECOND + 1);
    assertNotNull(sign, "a sign of life is not held");
    assertEquals(at(7), sign.after());
  }

  /** A relay that follows anew has not got what was held for it. */
  @Test
  void anotherSessionBeginsWhereItsPushesDo() {
    want(2, "a");
    wanted.of(push(1, 0, "b"), 0);
    assertNull(wanted.of(push(1, 1, "b"), 1));
    Push other = wanted.of(push(2, 1, "b"), 2);
    assertNotNull(other);
    assertEquals(at(1), other.after());
  }

  @Test
  void anotherWishHoldsFromWhereTheOneBeforeEnds() {
    want(2, "a");
    wanted.of(push(1, 0, "b"), 0);
    assertNull(wanted.of(push(1, 1, "c"), 1));
    wanted.marks();
    want(3, "a", "c");
    List<Push> marks = wanted.marks();
    assertEquals(2, marks.size());
    assertEquals(at(1), marks.get(0).after());
    assertEquals(at(2), marks.get(0).upTo());
    assertEquals(2, marks.get(0).part().version());
    assertEquals(at(2), marks.get(1).after());
    assertEquals(3, marks.get(1).part().version());
    assertEquals(List.of(), wanted.marks());
  }

  /** The relay would take it for a sign of the owner's life. */
  @Test
  void aSilentOwnerGetsNoMark() {
    want(2, "a");
    wanted.of(push(1, 0, "b"), 0);
    want(3, SECOND / 4, "a", "c");
    assertEquals(1, wanted.marks().size());
    want(4, SECOND * 3 / 4, "a", "d");
    assertEquals(List.of(), wanted.marks(), "a mark does not make the owner younger");
    Push next = wanted.of(push(1, 1, "d"), SECOND);
    assertNotNull(next);
    assertEquals(at(1), next.after());
    assertEquals(4, next.part().version());
  }

  /** Random Batches, wishes and losses: each push goes on from the one before of its session. */
  @Test
  void pushesGoOnFromEachOther() {
    Random random = new Random(7);
    List<String> topics = List.of("a", "b", "c");
    long session = 1;
    long at = 0;
    long now = 0;
    long relay = 0;
    for (int i = 0; i < 20_000; i++) {
      now += SECOND / 10;
      int what = random.nextInt(12);
      if (what == 0) {
        want(i + 1, now, topics.get(random.nextInt(3)));
        for (Push mark : wanted.marks()) {
          if (mark.session() == session) { // else the relay refuses it
            assertEquals(at(relay), mark.after());
            relay = mark.upTo().offset();
          }
        }
      } else if (what == 1) {
        session++;
        at = relay;
      } else {
        String[] some =
            random.ints(random.nextInt(3), 0, 3).mapToObj(topics::get).toArray(String[]::new);
        Push own = wanted.of(push(session, at, some), now);
        at += some.length;
        if (own != null) {
          assertEquals(at(relay), own.after());
          relay = own.upTo().offset();
          assertEquals(at, relay);
        }
      }
    }
  }
}
