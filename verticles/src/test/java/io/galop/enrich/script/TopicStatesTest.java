package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

@Timeout(60)
class TopicStatesTest {
  private final AtomicInteger forgotten = new AtomicInteger();
  private final TopicStates states = new TopicStates(2, forgotten::incrementAndGet);
  @TempDir Path directory;

  private Script open(String source) throws Exception {
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
  void itSurvivesTheScript() throws Exception {
    String counts = "const enrich = (r, s) => { s.n = (s.n || 0) + 1; return {data: {n: s.n}} }";
    try (Script script = open(counts)) {
      assertEquals("{\"n\":1}", call(script, "a", "{}"));
    }
    try (Script script = open(counts)) {
      assertEquals("{\"n\":2}", call(script, "a", "{}"));
    }
  }
}
