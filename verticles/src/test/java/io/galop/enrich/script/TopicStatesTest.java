package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.HeapReading;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class TopicStatesTest {
  private final AtomicInteger forgotten = new AtomicInteger();
  private final TopicStates states = of(new TopicStates.Bounds(2, Long.MAX_VALUE, Long.MAX_VALUE));
  @TempDir Path directory;

  private TopicStates of(TopicStates.Bounds bounds) {
    return new TopicStates(bounds, forgotten::incrementAndGet);
  }

  private Script open(String source) throws Exception {
    return open(source, states);
  }

  private Script open(String source, TopicStates states) throws Exception {
    Files.writeString(directory.resolve("s.js"), source);
    return Script.open(Scripts.config("s.js", Map.of()), directory.toString(), 64, states);
  }

  private static String call(Script script, String topic, String data) throws ScriptFailure {
    Record record = new Record("i", topic, 1, data.getBytes(StandardCharsets.UTF_8));
    return script.call(record).stream()
        .map(one -> new String(one.data(), StandardCharsets.UTF_8))
        .collect(Collectors.joining());
  }

  private void settled(String topic, Object value) throws ScriptFailure {
    states.of(topic).put("k", value);
    states.of(topic).settleCall(PlainFunction.SAME);
  }

  @Test
  void theTopicThatWasNotCalledForTheLongestIsForgotten() throws Exception {
    settled("a", 1);
    settled("b", 2);
    states.of("a");
    settled("c", 3);
    assertEquals(List.of("a", "c"), List.copyOf(states.topics()));
    assertEquals(1, forgotten.get());
    assertEquals(1, states.forgotten());
  }

  @Test
  void aTopicThatKeepsNothingIsNotCounted() throws Exception {
    for (String topic : List.of("a", "b", "c", "d")) {
      states.of(topic);
    }
    assertEquals(2, states.size());
    assertEquals(0, forgotten.get());
  }

  @Test
  void aCopyChangesWithoutTheOriginal() throws Exception {
    settled("a", Map.of("list", List.of(1, "x", true)));
    TopicStates copy = states.copy();
    assertEquals(states.of("a"), copy.of("a"));
    ((StateList) ((StateMap) copy.of("a").get("k")).get("list")).add("more");
    copy.of("b").put("k", 1);
    assertEquals("{k={list=[1, x, true]}}", states.of("a").toString());
    assertEquals(1, states.size());
  }

  @Test
  void whatIsNoPlainValueIsRefusedAndRemoved() {
    states.of("a").put("good", 1);
    states.of("a").put("bad", List.of(new AtomicInteger()));
    ScriptFailure refused =
        assertThrows(ScriptFailure.class, () -> states.of("a").settleCall(PlainFunction.SAME));
    assertTrue(
        refused.getMessage().contains("the state's 'bad' cannot be kept"), refused.getMessage());
    assertEquals("{good=1}", states.of("a").toString());
  }

  @Test
  void whatHoldsItselfIsRefused() {
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    assertTrue(
        assertThrows(ScriptFailure.class, () -> settled("a", circle))
            .getMessage()
            .contains("circular"));
  }

  @Test
  void aScriptReadsAndWritesItAsObjectsOfItsOwn() throws Exception {
    String source =
        "function enrich(r, state) { const l = state.seen || []; state.seen = l; l.push(r.data.n);"
            + " state.last = {n: r.data.n, by: [r.data]}; state.count = (state.count || 0) + 1;"
            + " if (r.data.n < 0) throw new Error('no'); delete r.data.n;"
            + " return {data: {...state, keys: Object.keys(state), has: 'seen' in state}} }";
    try (Script script = open(source)) {
      call(script, "a", "{\"n\":1}");
      assertThrows(ScriptFailure.class, () -> call(script, "a", "{\"n\":-1}"));
      assertEquals(
          "{\"seen\":[1,-1,2],\"last\":{\"n\":2,\"by\":[{}]},\"count\":3,"
              + "\"keys\":[\"seen\",\"last\",\"count\"],\"has\":true}",
          call(script, "a", "{\"n\":2}"));
      assertTrue(call(script, "b", "{\"n\":2}").contains("\"count\":1"));
    }
    assertEquals("[1, -1, 2]", states.of("a").get("seen").toString());
  }

  @Test
  void allThatCannotBeKeptIsRemovedAndTheRestIsKept() {
    states.of("a").put("first", new AtomicInteger());
    states.of("a").put("good", List.of(1));
    states.of("a").put("second", new AtomicInteger());
    states.of("a").put("best", List.of(2));
    assertThrows(ScriptFailure.class, () -> states.of("a").settleCall(PlainFunction.SAME));
    assertEquals("{good=[1], best=[2]}", states.of("a").toString());
  }

  private static final String PILES =
      "const enrich = (r, s) => { s.pile = s.pile || []; s.pile.push('x'.repeat(r.data.n));"
          + " return {data: {n: s.pile.length}} }";

  @Test
  void aTopicThatKeepsTooMuchFailsOnceAndBeginsAgain() throws Exception {
    TopicStates small = of(new TopicStates.Bounds(10, 100_000, 1_000_000));
    try (Script script = open(PILES, small)) {
      for (int n = 1; n <= 4; n++) {
        assertEquals("{\"n\":" + n + "}", call(script, "a", "{\"n\":10000}"));
      }
      call(script, "b", "{\"n\":10000}");
      ScriptFailure refused =
          assertThrows(ScriptFailure.class, () -> call(script, "a", "{\"n\":10000}"));
      assertTrue(
          refused
              .getMessage()
              .matches(
                  "the state of topic 'a' takes \\d+ bytes, more than the"
                      + " 100000.*maxTopicStateBytes.*"),
          refused.getMessage());
      assertEquals(1, forgotten.get());
      assertEquals("{\"n\":1}", call(script, "a", "{\"n\":10000}"), "it begins again");
      assertEquals("{\"n\":2}", call(script, "b", "{\"n\":10000}"), "others keep theirs");
    }
  }

  @Test
  void aCallThatFailsMayNotKeepMoreEither() throws Exception {
    TopicStates small = of(new TopicStates.Bounds(10, 100_000, 1_000_000));
    String source = "const enrich = (r, s) => { s.x = 'x'.repeat(100000); throw new Error('no') }";
    try (Script script = open(source, small)) {
      assertThrows(ScriptFailure.class, () -> call(script, "a", "{}"));
      assertEquals(0, small.bytes());
      assertEquals(1, forgotten.get());
    }
  }

  @Test
  void theLeastRecentlyCalledTopicsGoWhenAllKeepTooMuch() throws Exception {
    TopicStates small = of(new TopicStates.Bounds(1_000, 100_000, 100_000));
    try (Script script = open(PILES, small)) {
      for (int i = 0; i < 100; i++) {
        call(script, "t" + i, "{\"n\":10000}");
        assertTrue(small.bytes() <= 100_000, small.bytes() + " bytes");
      }
      assertEquals(List.of("t96", "t97", "t98", "t99"), List.copyOf(small.topics()));
      assertEquals(96, forgotten.get());
    }
  }

  @Test
  void whatIsReplacedDoesNotCountForEver() throws Exception {
    TopicStates small = of(new TopicStates.Bounds(10, 20_000, 1_000_000));
    String source =
        "const enrich = (r, s) => { s.last = {by: {x: 'x'.repeat(1000)}}; s.list = s.list || [];"
            + " s.list.push([1]); if (s.list.length > 5) s.list.shift();"
            + " s.me = s; return {data: {}} }";
    try (Script script = open(source, small)) {
      for (int i = 0; i < 1_000; i++) {
        call(script, "a", "{}");
      }
      assertEquals(0, forgotten.get());
      assertTrue(small.bytes() < 10_000, small.bytes() + " bytes");
    }
  }

  /** One round may be off: compilers of this JVM keep and free memory of their own meanwhile. */
  @Test
  void countsNoLessThanItTakes() throws Exception {
    TopicStates large = of(new TopicStates.Bounds(100_000, Long.MAX_VALUE, Long.MAX_VALUE));
    String source =
        "const enrich = (r, s) => { s.name = 'sensor ' + r.data.n; s.n = r.data.n + 0.5;"
            + " s.list = [r.data.n, r.data.n + 1]; s.by = {a: {}, b: 'x'.repeat(r.data.n % 100)};"
            + " return {data: {}} }";
    try (Script script = open(source, large)) {
      call(script, "first", "{\"n\":1}");
      List<Double> heldOfCounted = new ArrayList<>();
      for (int round = 0; round < 5; round++) {
        long before = HeapReading.settledBytes();
        long countedBefore = large.bytes();
        for (int i = 0; i < 5_000; i++) {
          call(script, "t" + round + "-" + i, "{\"n\":" + i + "}");
        }
        double counted = large.bytes() - countedBefore;
        heldOfCounted.add((HeapReading.settledBytes() - before) / counted);
      }
      double median = heldOfCounted.stream().sorted().toList().get(2);
      assertTrue(median < 1, heldOfCounted + " times what is counted is held");
      assertTrue(median > 0.25, heldOfCounted + " times what is counted is held");
    }
  }

  @Test
  void itSurvivesTheScript() throws Exception {
    String counts = "const enrich = (r, s) => { s.n = (s.n || 0) + 1; return {data: {n: s.n}} }";
    try (Script script = open(counts)) {
      assertEquals("{\"n\":1}", call(script, "a", "{}"));
    }
    try (Script script = open(counts)) {
      assertEquals("{\"n\":2}", call(script, "a", "{}"));
    }
  }

  @Test
  void whatCouldNotBeBegunTakesNothing() {
    assertEquals(0, states.settle("never"));
    assertEquals(0, states.size());
  }
}
