package io.galop.enrich.script.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.Script;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.TopicStates;
import io.galop.guest.SourceFile;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class MappingTest {
  private static Script open(String rules, Map<String, Object> keys) {
    Map<String, Object> step = new HashMap<>(Map.of("file", "m.map", "timeLimitMs", 60_000));
    step.putAll(keys);
    Map<String, Object> chain = Map.of("enrich.chain", List.of(Map.of("script", step)));
    ScriptConfig config =
        (ScriptConfig)
            ConfigLoader.load(Optional.empty(), Map.of(), List.of(), chain).enrich().chain().get(0);
    TopicStates states = new TopicStates(TopicStates.Bounds.of(config), () -> {});
    return Script.open(new SourceFile("m.map", rules), config, 256, states);
  }

  private static Record record(String data) {
    return new Record("i", "a/b", 7, data.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(List<Record> records) {
    List<String> lines = new ArrayList<>();
    for (Record one : records) {
      lines.add(
          one.topic() + ' ' + one.timeUs() + ' ' + new String(one.data(), StandardCharsets.UTF_8));
    }
    return String.join("|", lines);
  }

  private static String run(String rules, String... data) throws ScriptFailure {
    try (Script script = open(rules, Map.of())) {
      List<String> all = new ArrayList<>();
      for (String one : data) {
        all.add(text(script.call(record(one))));
      }
      return String.join(" / ", all);
    }
  }

  @Test
  void fieldsArePickedRenamedComputedAndLeftOut() throws Exception {
    String rules =
        """
        settings: {factor: 3.6}
        rules:
          - emit:
              topic: '"speed/" + topic'
              time: time + 1
              data:
                name: data.n
                kmh: data.speed * settings.factor
                missing: data.?missing
                nested: {list: [1, data.n, data.?missing], null: data.none}
          - emit: {copy: data, without: [speed], data: {n: '"b"'}}
        """;
    assertEquals(
        "speed/a/b 8 {\"name\":\"a\",\"kmh\":36,\"nested\":{\"list\":[1,\"a\"],\"null\":null}}"
            + "|a/b 7 {\"n\":\"b\",\"none\":null}",
        run(rules, "{\"n\":\"a\",\"speed\":10.0,\"none\":null}"));
  }

  @Test
  void numbersKeepTheirForm() throws Exception {
    String numbers =
        "{\"a\":1,\"b\":-0.5,\"c\":123456789012345678901234567890,\"d\":9007199254740993,\"e\":[1,[2.5,null]]}";
    assertEquals("a/b 7 " + numbers, run("rules: [{emit: {data: data}}]", numbers));
    String each = "rules: [{emit: {data: {c: data.c, d: data.d + 1, e: data.e}}}]";
    assertEquals(
        "a/b 7 {\"c\":123456789012345678901234567890,\"d\":9007199254740994,\"e\":[1,[2.5,null]]}",
        run(each, numbers));
  }

  @Test
  void anArrayBecomesRecordsInOrder() throws Exception {
    String rules =
        """
        rules:
          - each: data.list
            as: one
            do:
              - skip: one.v < 0
              - {when: one.v == 3, emit: {last: true, data: {late: one.v}}}
              - {when: one.v != 3, emit: {topic: '"v/" + string(one.v)', data: {v: one.v}}}
          - {each: data.?other, as: two, do: [{emit: {data: two}}]}
        """;
    assertEquals(
        "v/1 7 {\"v\":1}|v/4 7 {\"v\":4}|a/b 7 {\"late\":3}",
        run(rules, "{\"list\":[{\"v\":1},{\"v\":-2},{\"v\":3},{\"v\":4}]}"));
  }

  @Test
  void onlyWhatChangedPasses() throws Exception {
    String rules =
        """
        settings: {step: 0}
        rules:
          - {changed: data.v, in: last, key: data.k, step: settings.step}
          - emit: {data: data}
        """;
    String a = "{\"k\":\"a\",\"v\":1}";
    String b = "{\"k\":\"b\",\"v\":{\"x\":[1]}}";
    String c = "{\"k\":\"b\",\"v\":{\"x\":[2]}}";
    assertEquals(
        "a/b 7 " + a + " /  / a/b 7 " + b + " /  / a/b 7 " + c + " / ",
        run(rules, a, a, b, b, c, a));
  }

  @Test
  void aRecordThatIsRefusedLeavesTheStateAsItWas() throws Exception {
    String rules =
        """
        rules:
          - {changed: data.v, in: last}
          - {row: sum, in: sums, key: '"all"'}
          - {set: sum, fields: {n: 'sum.?n.orValue(0) + 1', last: data.v}}
          - {require: '!has(data.bad)', else: it is bad}
          - emit: {topic: data.?topic.orValue("ok"), data: {v: data.v, n: sum.n}}
        """;
    try (Script script = open(rules, Map.of())) {
      assertEquals("ok 7 {\"v\":1,\"n\":1}", text(script.call(record("{\"v\":1}"))));
      String refused = failure(script, "{\"v\":2,\"bad\":1}");
      assertEquals("it is bad (m.map, line 5, rules[3])", refused);
      assertTrue(failure(script, "{\"v\":2,\"topic\":\"$x\"}").contains("'$x' begins with '$'"));
      assertEquals("ok 7 {\"v\":2,\"n\":2}", text(script.call(record("{\"v\":2}"))));
      assertEquals("", text(script.call(record("{\"v\":2}"))));
    }
  }

  private static String failure(Script script, String data) {
    ScriptFailure failure = assertThrows(ScriptFailure.class, () -> script.call(record(data)));
    return String.valueOf(failure.getMessage());
  }

  @Test
  void whatWasEmittedDoesNotChangeWithTheStateAfterwards() throws Exception {
    String rules =
        """
        rules:
          - {row: r, in: rows, key: '"k"'}
          - {set: r, fields: {n: data.n, list: '[data.n]'}}
          - {row: inner, in: r.inner, key: '1'}
          - {set: inner, fields: {m: data.n}}
          - let: {before: r}
          - emit: {data: {r: r}}
          - {set: r, fields: {n: '0', list: optional.none()}}
          - {clear: r.inner, fields: [m]}
          - emit: {data: {r: r, before: before}}
        """;
    String full = "{\"n\":5,\"list\":[5],\"inner\":{\"1\":{\"m\":5}}}";
    String expected =
        "a/b 7 {\"r\":"
            + full
            + "}|a/b 7 {\"r\":{\"n\":0,\"inner\":{\"1\":{}}},\"before\":"
            + full
            + "}";
    String input = "{\"n\":5}";
    // Fields that were there keep their places: n, then inner, then list in the second call.
    String again =
        expected.replace(
            "\"list\":[5],\"inner\":{\"1\":{\"m\":5}}", "\"inner\":{\"1\":{\"m\":5}},\"list\":[5]");
    assertEquals(expected + " / " + again, run(rules, input, input));
  }

  @Test
  void aTableIsBounded() throws Exception {
    String rules =
        """
        settings: {max: 2}
        rules:
          - {row: r, in: rows, key: data.k, max: settings.max, first: 'row.?done.orValue(false)'}
          - emit: {data: {k: data.k, n: r.?n}}
          - {set: r, fields: {n: 'r.?n.orValue(0) + 1', done: data.?done}}
        """;
    String out =
        run(
            rules,
            "{\"k\":\"a\"}",
            "{\"k\":\"b\",\"done\":true}",
            "{\"k\":\"c\"}",
            "{\"k\":\"a\"}",
            "{\"k\":\"d\"}",
            "{\"k\":\"c\"}");
    assertEquals(
        List.of("a", "b", "c", "a,1", "d", "c"),
        out.lines()
            .flatMap(line -> List.of(line.split(" / ")).stream())
            .map(one -> one.replaceAll(".*\"k\":\"(.)\"(?:,\"n\":(\\d))?.*", "$1,$2"))
            .map(one -> one.endsWith(",") ? one.substring(0, 1) : one)
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "rules: [{emit: {data: {x: dat.x}}}] | undeclared reference to 'dat' (m.map, line 1, rules[0].emit.data.x)",
        "rules: [{emits: {}}] | this is no rule; rules are",
        "rules: [{emit: {data: data}, wen: 1}] | the key means nothing here; known are those of one rule",
        "rules: [{set: r, fields: {}}] | there is no row 'r'",
        "rules: [{let: {data: 1}}] | the name 'data' stands for something else already",
        "rules: [{when: true, let: {a: 1}}] | a name must not depend on 'when'",
        "rules: [{require: true}] | 'else' is missing",
        "rule: [] | 'rules' is missing",
        "rules: [ | m.map, line 1, YAML",
        "rules: [{row: r, in: t, key: '1', max: data.x}] | undeclared reference to 'data'",
        "rules: [{row: r, in: t, key: '1', max: '0'}] | 'max' must be a whole number above 0",
        "rules: [{emit: {data: data, last: maybe}}] | here must be true or false",
        "rules: [{let: &a {b: '1'}}, {let: *a}] | aliases (*) are not taken",
        "rules: &a [{do: *a}] | aliases (*) are not taken",
        "rules: [{emit: {topic: topic}}] | 'data' is missing, or 'copy'"
      })
  void aWrongFileIsRefusedWithLineAndField(String rules, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> open(rules, Map.of()));
    assertTrue(String.valueOf(refused.getMessage()).contains(message), refused.getMessage());
  }

  @Test
  void aSettingThatTheMappingDoesNotHaveIsRefused() {
    Map<String, Object> keys = Map.of("settings", Map.of("other", "1"));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> open("rules: []", keys));
    assertTrue(String.valueOf(refused.getMessage()).contains("no setting 'other'"));
  }

  @Test
  void aFailureNamesLineAndFieldAndColumn() {
    String rules = "rules:\n  - emit:\n      data:\n        x: data.x + 1\n";
    try (Script script = open(rules, Map.of())) {
      String failure = failure(script, "{\"x\":\"text\"}");
      assertTrue(failure.startsWith("column 8: No matching overload for function '_+_'"), failure);
      assertTrue(failure.endsWith("(m.map, line 4, rules[0].emit.data.x)"), failure);
    }
  }

  @Test
  void limitsEndACallAndNotTheScript() throws Exception {
    String loops =
        """
        rules:
          - each: data.l
            as: a
            do: [{each: data.l, as: b, do: [{each: data.l, as: c, do: [{let: {d: a}}]}]}]
          - emit: {data: data}
        """;
    String list = "{\"l\":[" + "1,".repeat(199) + "1]}";
    try (Script script = open(loops, Map.of("maxStatements", 50_000))) {
      String failure = failure(script, list);
      assertTrue(failure.startsWith("it executed more than maxStatements, 50000"), failure);
      assertEquals("a/b 7 {\"l\":[1]}", text(script.call(record("{\"l\":[1]}"))));
    }
    try (Script script = open(loops, Map.of("timeLimitMs", 10, "maxStatements", 10_000_000_000L))) {
      String failure = failure(script, list);
      assertEquals("it ran longer than timeLimitMs, 10", failure);
    }
    String many = "rules: [{each: data.l, as: a, do: [{emit: {data: {a: a}}}]}]";
    try (Script script = open(many, Map.of("maxOutputs", 10))) {
      assertTrue(failure(script, list).contains("maxOutputs is 10"));
    }
  }

  @Test
  void sharedListsAndLongTextsAreBounded() {
    StringBuilder rules = new StringBuilder("rules:\n  - let:\n      v0: data.x\n");
    for (int i = 1; i <= 40; i++) {
      rules.append("      v%d: '[v%d, v%d]'%n".formatted(i, i - 1, i - 1));
    }
    try (Script script = open(rules + "  - emit: {data: {x: v40}}\n", Map.of())) {
      assertTrue(failure(script, "{\"x\":1}").startsWith("the value is too large"));
    }
    String texts = rules.toString().replaceAll("'\\[(v\\d+), (v\\d+)]'", "$1 + $2");
    try (Script script = open(texts + "  - emit: {data: {x: v40}}\n", Map.of())) {
      assertTrue(failure(script, "{\"x\":\"text\"}").startsWith("the value is too large"));
    }
  }

  /** What the state shows of a list may hold maps that change, and nulls in them. */
  @Test
  void aListOfObjectsComesBackFromTheStateAsItWas() throws ScriptFailure {
    String rules =
        """
        rules:
          - {row: r, in: rows, key: "'k'"}
          - {set: r, fields: {items: data.items}}
          - emit:
              data: {items: r.items}
        """;
    assertEquals(
        "a/b 7 {\"items\":[{\"a\":null,\"b\":[1]}]}",
        run(rules, "{\"items\":[{\"a\":null,\"b\":[1]}]}"));
  }
}
