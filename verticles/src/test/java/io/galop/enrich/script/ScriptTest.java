package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Record;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(180)
class ScriptTest {
  @TempDir Path directory;

  /** What each script begins with, on its first line. */
  String directive() {
    return "";
  }

  Script open(String source) throws IOException {
    return open(source, 100_000, 5_000);
  }

  Script open(String source, long maxStatements, long timeLimitMs) throws IOException {
    Files.writeString(directory.resolve("s.js"), directive() + source);
    return Script.open(
        Scripts.config("s.js", Map.of("n", "5", "text", "t"), maxStatements, timeLimitMs),
        directory.toString(),
        64,
        new TopicStates(new TopicStates.Bounds(100, Long.MAX_VALUE, Long.MAX_VALUE), () -> {}));
  }

  static Record record(String data) {
    return new Record("raw", "a/b", 7_000_001L, data.getBytes(StandardCharsets.UTF_8));
  }

  static String call(Script script, String data) throws ScriptFailure {
    return script.call(record(data)).stream()
        .map(r -> r.id() + " " + r.topic() + " " + r.timeUs() + " " + new String(r.data()))
        .collect(Collectors.joining("; "));
  }

  String failure(String source, String data) throws IOException {
    try (Script script = open(source)) {
      return assertThrows(ScriptFailure.class, () -> script.call(record(data))).getMessage();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "return r                                | raw a/b 7000001 {\"x\":1}",
        "r.data.y = 2; return r                  | raw a/b 7000001 {\"x\":1,\"y\":2}",
        "return {data: {z: 1}}                   | raw a/b 7000001 {\"z\":1}",
        "return [r]                              | raw a/b 7000001 {\"x\":1}",
        "return [r, r]                           | raw#1 a/b 7000001 {\"x\":1}; raw#2 a/b 7000001"
            + " {\"x\":1}",
        "return {topic: 'c', data: {}}           | raw#1@wUzdwDP2S5 c 7000001 {}",
        "return {timeUs: 9007199254740991, data: {}, id: 'x'} | raw a/b 9007199254740991 {}",
        "return {data: {id: r.id, topic: r.topic, t: r.timeUs}} | raw a/b 7000001"
            + " {\"id\":\"raw\",\"topic\":\"a/b\",\"t\":7000001}",
        "return null                             | ``",
        "return                                  | ``",
        "return []                               | ``"
      })
  void whatAFunctionReturnsBecomesRecords(String body, String expected) throws Exception {
    try (Script script = open("function enrich(r) { " + body + " }")) {
      assertEquals(expected, call(script, "{\"x\":1}"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "return 5                                   | something that is no record",
        "return ['x']                               | something that is no record",
        "return {}                                  | whose data is no object",
        "return {data: [1]}                         | whose data is no object",
        "return {data: {a: {b: 0/0}}}               | the field 'b' with NaN",
        "return {data: {a: [null, 1/0]}}            | with Infinity",
        "return {topic: 5, data: {}}                | topic is no text",
        "return {topic: 'a//b', data: {}}           | has an empty level",
        "return {topic: '$x', data: {}}             | begins with '$'",
        "return {topic: 'a/#', data: {}}            | wildcard",
        "return {timeUs: 1.5, data: {}}             | no whole number of microseconds",
        "return {timeUs: -1, data: {}}              | no whole number of microseconds",
        "return Array(1001).fill(r)                 | 1001 records, maxOutputs is 1000",
        "return {data: {s: 'x'.repeat(70000)}}      | maxOutputBytes is 65536",
        "const d = {}; d.d = d; return {data: d}    | circular",
        "r.topic = 'x'; return r                    | TypeError",
        "return undefinedThing                      | undefinedThing is not defined (s.js, line 2)",
        "throw new Error('no\\nluck')               | Error: no (s.js, line 2)",
        "return f(1); function f(n) { return f(n) } | Maximum call stack size exceeded",
        "Java.type('java.lang.System').exit(3)      | Java is not defined",
        "load('/etc/passwd')                        | load is not defined",
        "Polyglot.import('x')                       | Polyglot is not defined",
      })
  void whatIsNoRecordIsAFailureThatSaysSo(String body, String expected) throws Exception {
    String detail = failure("function enrich(r) {\n " + body + " }", "{\"x\":1}");
    assertTrue(detail.contains(expected), detail);
  }

  @Test
  void numbersArePrintedAsJavaScriptDoes() throws Exception {
    try (Script script = open("function enrich(r) { r.data.n *= 1; return r }")) {
      assertEquals(
          "raw a/b 7000001 {\"n\":3,\"b\":4.4,\"c\":1e+21,\"d\":1497351220318000,\"e\":5e-7}",
          call(script, "{\"n\":3.0,\"b\":4.40,\"c\":1e21,\"d\":1497351220318000,\"e\":5E-7}"));
    }
  }

  @Test
  void anElementBeyondTheEndIsUndefined() throws Exception {
    String source =
        "function enrich(r, s) { s.l = s.l || [1];"
            + " return {data: {a: r.data.l[1] === undefined, b: s.l[1] === undefined}} }";
    try (Script script = open(source)) {
      for (int i = 0; i < 2; i++) {
        assertEquals("raw a/b 7000001 {\"a\":true,\"b\":true}", call(script, "{\"l\":[1]}"));
      }
    }
  }

  @Test
  void aKeyOfARecordLeadsToNothingThatObjectsShare() throws Exception {
    String source =
        "function enrich(r, s) { const k = r.data.k, o = {}, known = typeof s[k];"
            + " (o[k] || (o[k] = {})).odds = 5; s[k] = {a: 1};"
            + " return {data: {known, keys: Object.keys(o), odds: ({}).odds, kept: s[k],"
            + " inherits: s.constructor === Object.prototype.constructor, x: r.data[k].x}} }";
    String data = "{\"k\":\"__proto__\",\"__proto__\":{\"x\":1}}";
    String made = "\"keys\":[\"__proto__\"],\"kept\":{\"a\":1},\"inherits\":true,\"x\":1}";
    try (Script script = open(source)) {
      assertEquals("raw a/b 7000001 {\"known\":\"undefined\"," + made, call(script, data));
      assertEquals("raw a/b 7000001 {\"known\":\"object\"," + made, call(script, data));
    }
  }

  @Test
  void initIsGivenTheSettings() throws Exception {
    String source =
        "let n; function init(s) { n = s.n + s.text }\n" + "const enrich = r => ({data: {n: n}})";
    try (Script script = open(source)) {
      assertEquals("raw a/b 7000001 {\"n\":\"5t\"}", call(script, "{}"));
    }
  }

  @Test
  void aLoopIsEndedByTheStatementsAndTheScriptGoesOnAnew() throws Exception {
    String source =
        "let calls = 0; function enrich(r) { calls++; while (r.data.loop) {} "
            + "return {data: {calls: calls}} }";
    try (Script script = open(source)) {
      call(script, "{}");
      ScriptFailure loop = assertThrows(ScriptFailure.class, () -> call(script, "{\"loop\":true}"));
      assertTrue(loop.isByLimit());
      assertTrue(loop.getMessage().contains("maxStatements, 100000"), loop.getMessage());
      assertEquals("raw a/b 7000001 {\"calls\":1}", call(script, "{}"));
    }
  }

  @Test
  void whatALimitHasClosedDoesNotEndACallOfTheNext() throws Exception {
    try (Script closed = open("function enrich(r) { while (true) {} }")) {
      assertTrue(assertThrows(ScriptFailure.class, () -> call(closed, "{}")).isByLimit());
      try (Script next = open("function enrich(r) { return r }")) {
        assertEquals("raw a/b 7000001 {}", call(next, "{}"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while (true) {}",
        "try { while (true) {} } catch (e) { while (true) {} }",
        "/^(a+)+\\1$/.test('a'.repeat(60) + 'b')",
        "for (;;) [3, 1, 2].sort((a, b) => a - b)"
      })
  void whatTakesTooLongIsInterruptedAndTheNextCallIsNot(String slow) throws Exception {
    String source =
        "let calls = 0; function enrich(r) { calls++; if (r.data.slow) { "
            + slow
            + " }"
            + " return {data: {calls: calls}} }";
    try (Script script = open(source, 10_000_000_000L, 500)) {
      call(script, "{}");
      long began = System.nanoTime();
      ScriptFailure failure =
          assertThrows(ScriptFailure.class, () -> call(script, "{\"slow\":true}"));
      assertTrue(failure.isByLimit(), failure.getMessage());
      assertTrue(failure.getMessage().contains("timeLimitMs, 500"), failure.getMessage());
      assertTrue(System.nanoTime() - began < 30_000_000_000L);
      assertTrue(call(script, "{}").contains("calls"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "function enrich(r) { return r | line 1",
        "\\n\\nlet x = ; | line 3",
        "var notEnrich = 1 | must define function enrich(record)",
        "var enrich = 1 | must define function enrich(record)",
        "function enrich(r) {}\\nfunction init(s) { throw new Error('bad setting') } | bad setting"
            + " (s.js, line 2)",
        "while (true) {} | maxStatements",
      })
  void aScriptThatCannotBeStartedIsRefused(String source, String expected) {
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> open(source.replace("\\n", "\n")).close())
            .getMessage();
    assertTrue(message.contains(expected), message);
    assertTrue(message.startsWith("script s.js"), message);
  }

  @Test
  void aScriptThatIsNowhereIsRefusedWithThePlaces() {
    String message =
        ScriptCheck.problem(Scripts.config("nowhere.js", Map.of()), directory.toString(), 64)
            .orElseThrow();
    assertTrue(message.contains(directory.toString()), message);
    assertTrue(message.contains("put it there"), message);
  }

  @Test
  void consoleLogDoesNotDisturb() throws Exception {
    try (Script script = open("function enrich(r) { console.log(r.data, 'x'); return r }")) {
      for (int i = 0; i < 50; i++) {
        assertEquals(List.of("raw"), script.call(record("{}")).stream().map(Record::id).toList());
      }
    }
  }
}
