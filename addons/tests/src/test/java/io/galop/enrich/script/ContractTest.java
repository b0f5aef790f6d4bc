package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.ScriptConfig;
import io.galop.record.Record;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for a script in any language. */
@Timeout(300)
class ContractTest {
  private static final String DATA =
      "{\"x\":1,\"f\":3.0,\"big\":1234567890123456789012,\"long\":9007199254740993,\"e\":1e-7,"
          + "\"t\":\"é\\u0001\\\"\",\"list\":[1,{\"a\":null}],\"b\":true}";

  @TempDir Path directory;
  private final TopicStates states = new TopicStates(10, () -> {});

  /** A language with the least that stands around the body of a function in it. */
  enum Language {
    JAVASCRIPT("js", "function enrich(r, state) {\n%s\n}\n"),
    PYTHON("py", "def enrich(r, state):\n%s\n"),
    GROOVY("groovy", "def enrich(r, state) {\n%s\n}\n"),
    KOTLIN("kts", "fun enrich(r: ScriptRecord, state: MutableMap<String, Any?>): Any? {\n%s\n}\n");

    private final String suffix;
    private final String around;

    Language(String suffix, String around) {
      this.suffix = suffix;
      this.around = around;
    }

    String source(String body) {
      return around.formatted(body.indent(2).stripTrailing());
    }
  }

  private Script open(Language language, String source) throws IOException {
    String file = "s." + language.suffix;
    Files.writeString(directory.resolve(file), source);
    Map<String, Object> keys =
        Map.of("file", file, "timeLimitMs", 2_000, "settings", Map.of("n", "5", "text", "t"));
    ScriptConfig config =
        (ScriptConfig)
            ConfigLoader.load(
                    Optional.empty(),
                    Map.of(),
                    List.of(),
                    Map.of("enrich.chain", List.of(Map.of("script", keys))))
                .enrich()
                .chain()
                .get(0);
    return Script.open(config, directory.toString(), 64, states);
  }

  private static String call(Script script, String data) throws ScriptFailure {
    Record record = new Record("raw", "a/b", 7, data.getBytes(StandardCharsets.UTF_8));
    return script.call(record).stream()
        .map(
            r ->
                r.id()
                    + " "
                    + r.topic()
                    + " "
                    + r.timeUs()
                    + " "
                    + new String(r.data(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("; "));
  }

  private String result(Language language, String body) throws Exception {
    try (Script script = open(language, language.source(body))) {
      return call(script, DATA);
    }
  }

  private String failure(Language language, String body) throws Exception {
    try (Script script = open(language, language.source(body))) {
      return assertThrows(ScriptFailure.class, () -> call(script, DATA)).getMessage();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRecordIsPassedOnAsItCame(Language language) throws Exception {
    assertEquals("raw a/b 7 " + DATA.replace("3.0", "3"), result(language, "return r"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "JAVASCRIPT | r.data.y = r.data.x; return r",
        "PYTHON | r.data['y'] = r.data['x']; return r",
        "GROOVY | r.data.y = r.data.x; return r",
        "KOTLIN | r.data[\"y\"] = r.data[\"x\"]; return r"
      })
  void numbersArePrintedAsTheyCame(Language language, String body) throws Exception {
    try (Script script = open(language, language.source(body))) {
      for (String number :
          List.of("9007199254740993", "18446744073709551616", "1180591620717411303424", "1e+300")) {
        assertEquals(
            "raw a/b 7 {\"x\":%1$s,\"y\":%1$s}".formatted(number),
            call(script, "{\"x\":" + number + "}"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingDrops(Language language) throws Exception {
    assertEquals("", result(language, language == Language.PYTHON ? "return None" : "return null"));
    String none = language == Language.KOTLIN ? "return listOf<Any>()" : "return []";
    assertEquals("", result(language, none));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "JAVASCRIPT | return [{topic: 'c', timeUs: 9, data: {n: r.data.x / 4, l: [r.data.list[0], null]}}, r]",
        "PYTHON | return [{'topic': 'c', 'timeUs': 9, 'data': {'n': r.data['x'] / 4, 'l': [r.data['list'][0], None]}}, r]",
        "GROOVY | return [[topic: 'c', timeUs: 9, data: [n: r.data.x / 4, l: [r.data.list[0], null]]], r]",
        "KOTLIN | return listOf(mapOf(\"topic\" to \"c\", \"timeUs\" to 9, \"data\" to mapOf(\"n\" to (r.data[\"x\"] as Int) / 4.0, \"l\" to listOf((r.data[\"list\"] as List<*>)[0], null))), r)"
      })
  void manyRecordsAreNumbered(Language language, String body) throws Exception {
    assertEquals(
        "raw#1 c 9 {\"n\":0.25,\"l\":[1,null]}; raw#2 a/b 7 " + DATA.replace("3.0", "3"),
        result(language, body));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "JAVASCRIPT | r.data.list.push({b: 2}); delete r.data.big; r.data.x = r.data.long; r.data.t = {u: [r.data.f * 2]}; return r",
        "PYTHON | r.data['list'].append({'b': 2}); del r.data['big']; r.data['x'] = r.data['long']; r.data['t'] = {'u': [r.data['f'] * 2]}; return r",
        "GROOVY | r.data.list << [b: 2]; r.data.remove('big'); r.data.x = r.data.long; r.data.t = [u: [r.data.f * 2]]; return r",
        "KOTLIN | @Suppress(\"UNCHECKED_CAST\") (r.data[\"list\"] as MutableList<Any?>).add(mapOf(\"b\" to 2)); r.data.remove(\"big\"); r.data[\"x\"] = r.data[\"long\"]; r.data[\"t\"] = mapOf(\"u\" to listOf(r.data[\"f\"] as Double * 2)); return r"
      })
  void dataIsChangedInPlace(Language language, String body) throws Exception {
    assertEquals(
        "raw a/b 7 {\"x\":9007199254740993,\"f\":3,\"long\":9007199254740993,\"e\":1e-7,"
            + "\"t\":{\"u\":[6]},\"list\":[1,{\"a\":null},{\"b\":2}],\"b\":true}",
        result(language, body));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "JAVASCRIPT | r.topic = 'x'; return r",
        "JAVASCRIPT | r.timeUs = 8; return r",
        "PYTHON | r.topic = 'x'; return r",
        "PYTHON | r.id = 'x'; return r",
        "GROOVY | r.topic = 'x'; return r",
        "GROOVY | r.data = [:]; return r"
      })
  void idTopicAndTimeCannotBeSet(Language language, String body) throws Exception {
    String detail = failure(language, body);
    assertTrue(detail.contains("(s." + language.suffix + ", line 2)"), detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "PYTHON | return 5 | something that is no record",
        "GROOVY | return 5 | something that is no record",
        "KOTLIN | return 5 | something that is no record",
        "PYTHON | return {} | whose data is no object",
        "GROOVY | return [:] | whose data is no object",
        "KOTLIN | return mapOf<String, Any>() | whose data is no object",
        "PYTHON | return {'topic': 5, 'data': {}} | topic is no text",
        "PYTHON | return {'data': {'a': float('nan')}} | the field 'a' with NaN",
        "GROOVY | return [data: [a: Double.NaN]] | the field 'a' with NaN",
        "KOTLIN | return mapOf(\"data\" to mapOf(\"a\" to Double.NaN)) | the field 'a' with NaN",
        "PYTHON | return {'data': {'a': object()}} | the field 'a' with a object, which JSON cannot hold",
        "GROOVY | return [data: [a: new Object()]] | the field 'a' with a java.lang.Object",
        "PYTHON | return [r] * 1001 | 1001 records, maxOutputs is 1000",
        "GROOVY | return [r] * 1001 | 1001 records, maxOutputs is 1000",
        "PYTHON | return {'data': {'s': 'x' * 70000}} | maxOutputBytes is 65536",
        "KOTLIN | return mapOf(\"data\" to mapOf(\"s\" to \"x\".repeat(70000))) | maxOutputBytes is 65536",
        "PYTHON | raise ValueError('no luck') | ValueError: no luck (s.py, line 2)",
        "GROOVY | throw new IllegalStateException('no luck') | IllegalStateException: no luck (s.groovy, line 2)",
        "KOTLIN | throw IllegalStateException(\"no luck\") | IllegalStateException: no luck (s.kts, line 2)",
        "PYTHON | return enrich(r, state) | RecursionError",
        "GROOVY | throw new OutOfMemoryError() | it needs more memory than there is",
        "KOTLIN | throw OutOfMemoryError() | it needs more memory than there is",
        "GROOVY | return enrich(r, state) | StackOverflowError",
        "KOTLIN | return enrich(r, state) | StackOverflowError",
        "PYTHON | open('/etc/passwd') | Error",
        "PYTHON | import java; return java.type('java.lang.System') | Error"
      })
  void whatIsNoRecordIsAFailureThatSaysSo(Language language, String body, String expected)
      throws Exception {
    String detail = failure(language, body);
    assertTrue(detail.contains(expected), detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "JAVASCRIPT ~ const l = state.seen || []; state.seen = l; l.push({n: l.length}); state.n = (state.n || 0) + 1; return {data: {n: state.n, seen: l}}",
        "PYTHON ~ l = state.get('seen') or []; state['seen'] = l; l.append({'n': len(l)}); state['n'] = state.get('n', 0) + 1; return {'data': {'n': state['n'], 'seen': l}}",
        "GROOVY ~ def l = state.seen ?: []; state.seen = l; l << [n: l.size()]; state.n = (state.n ?: 0) + 1; return [data: [n: state.n, seen: l]]",
        "KOTLIN ~ @Suppress(\"UNCHECKED_CAST\") val l = (state[\"seen\"] ?: mutableListOf<Any?>()) as MutableList<Any?>; state[\"seen\"] = l; l.add(mapOf(\"n\" to l.size)); val n = ((state[\"n\"] ?: 0) as Int) + 1; state[\"n\"] = n; return mapOf(\"data\" to mapOf(\"n\" to n, \"seen\" to l))"
      })
  void theStateOfATopicSurvivesTheScript(Language language, String body) throws Exception {
    assertEquals("raw a/b 7 {\"n\":1,\"seen\":[{\"n\":0}]}", result(language, body));
    assertEquals("raw a/b 7 {\"n\":2,\"seen\":[{\"n\":0},{\"n\":1}]}", result(language, body));
    assertEquals("{seen=[{n=0}, {n=1}], n=2}", states.copy().of("a/b").toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "PYTHON | while True: pass",
        "GROOVY | while (true) {}",
        "GROOVY | while (true) { try { while (true) {} } catch (InterruptedException e) {} }",
        "GROOVY | Thread.sleep(100_000)",
        "KOTLIN | while (true) {}",
        "KOTLIN | while (true) { try { while (true) {} } catch (e: Exception) {} }",
        "KOTLIN | generateSequence(1) { it + 1 }.last()",
        "KOTLIN | Thread.sleep(100_000)"
      })
  void whatTakesTooLongIsEndedAndTheNextCallIsNot(Language language, String slow) throws Exception {
    String ret =
        language == Language.PYTHON
            ? "if 'slow' in r.data: "
            : "if (r.data.containsKey(\"slow\")) { ";
    String body = ret + slow + (language == Language.PYTHON ? "\nreturn r" : " }\nreturn r");
    if (language == Language.PYTHON) {
      body = body.replace(": while True: pass", ":\n  while True: pass");
    }
    try (Script script = open(language, language.source(body))) {
      call(script, "{}");
      ScriptFailure ended = assertThrows(ScriptFailure.class, () -> call(script, "{\"slow\":1}"));
      assertTrue(ended.isByLimit(), ended.getMessage());
      assertEquals("raw a/b 7 {}", call(script, "{}"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "JAVASCRIPT | let n\\nfunction init(s) { n = s.n + s.text }\\nfunction enrich(r) { return {data: {n: n}} }",
        "PYTHON | n = ''\\ndef init(s):\\n  global n\\n  n = str(s['n']) + s['text']\\ndef enrich(r, state):\\n  return {'data': {'n': n}}",
        "GROOVY | @Field n = ''\\ndef init(s) { n = s.n + s.text }\\ndef enrich(r) { [data: [n: n]] }",
        "KOTLIN | var n = \"\"\\nfun init(s: Map<String, Any?>) { n = \"\" + s[\"n\"] + s[\"text\"] }\\nfun enrich(r: ScriptRecord): Any? = mapOf(\"data\" to mapOf(\"n\" to n))"
      })
  void initIsGivenTheSettings(Language language, String source) throws Exception {
    try (Script script = open(language, source.replace("\\n", "\n"))) {
      assertEquals("raw a/b 7 {\"n\":\"5t\"}", call(script, "{}"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "PYTHON | x = 1 | must define function enrich(record)",
        "GROOVY | def x = 1 | must define function enrich(record)",
        "KOTLIN | val x = 1 | must define function enrich(record)",
        "PYTHON | \\n\\ndef enrich(r:\\n | s.py, line 3",
        "GROOVY | \\n\\ndef enrich(r | s.groovy, line 3",
        "KOTLIN | \\n\\nfun enrich(r: Int | s.kts, line 3",
        "KOTLIN | \\nfun enrich(r: Nothing2): Any? = null | Unresolved reference 'Nothing2'. (s.kts, line 2)",
        "PYTHON | \\nraise ValueError('bad') | ValueError: bad (s.py, line 2)",
        "GROOVY | \\nthrow new Exception('bad') | Exception: bad (s.groovy, line 2)",
        "KOTLIN | \\nval x: Int = throw Exception(\"bad\") | Exception: bad (s.kts, line 2)"
      })
  void aScriptThatCannotBeStartedIsRefused(Language language, String source, String expected) {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> open(language, source.replace("\\n", "\n")).close())
            .getMessage();
    assertTrue(message.contains(expected), message);
  }
}
