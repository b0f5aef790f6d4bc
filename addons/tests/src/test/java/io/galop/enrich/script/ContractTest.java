package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes into a script and comes out, in any language. */
@Timeout(300)
class ContractTest extends EachLanguage {
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
        "JAVASCRIPT | return [{topic: 'c', timeUs: 9, data: {n: r.data.x / 4, l: [r.data.list[0],"
            + " null]}}, r]",
        "PYTHON | return [{'topic': 'c', 'timeUs': 9, 'data': {'n': r.data['x'] / 4, 'l':"
            + " [r.data['list'][0], None]}}, r]",
        "GROOVY | return [[topic: 'c', timeUs: 9, data: [n: r.data.x / 4, l: [r.data.list[0],"
            + " null]]], r]",
        "KOTLIN | return listOf(mapOf(\"topic\" to \"c\", \"timeUs\" to 9, \"data\" to mapOf(\"n\""
            + " to (r.data[\"x\"] as Int) / 4.0, \"l\" to listOf((r.data[\"list\"] as List<*>)[0],"
            + " null))), r)"
      })
  void manyRecordsAreNumbered(Language language, String body) throws Exception {
    assertEquals(
        "raw#1@wUzdwDP2S5 c 9 {\"n\":0.25,\"l\":[1,null]}; raw#2 a/b 7 " + DATA.replace("3.0", "3"),
        result(language, body));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "JAVASCRIPT | r.data.list.push({b: 2}); delete r.data.big; r.data.x = r.data.long; r.data.t"
            + " = {u: [r.data.f * 2]}; return r",
        "PYTHON | r.data['list'].append({'b': 2}); del r.data['big']; r.data['x'] = r.data['long'];"
            + " r.data['t'] = {'u': [r.data['f'] * 2]}; return r",
        "GROOVY | r.data.list << [b: 2]; r.data.remove('big'); r.data.x = r.data.long; r.data.t ="
            + " [u: [r.data.f * 2]]; return r",
        "KOTLIN | @Suppress(\"UNCHECKED_CAST\") (r.data[\"list\"] as"
            + " MutableList<Any?>).add(mapOf(\"b\" to 2)); r.data.remove(\"big\"); r.data[\"x\"] ="
            + " r.data[\"long\"]; r.data[\"t\"] = mapOf(\"u\" to listOf(r.data[\"f\"] as Double *"
            + " 2)); return r"
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
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "JAVASCRIPT ~ const l = state.seen || []; state.seen = l; l.push({n: l.length}); state.n ="
            + " (state.n || 0) + 1; return {data: {n: state.n, seen: l}}",
        "PYTHON ~ l = state.get('seen') or []; state['seen'] = l; l.append({'n': len(l)});"
            + " state['n'] = state.get('n', 0) + 1; return {'data': {'n': state['n'], 'seen': l}}",
        "GROOVY ~ def l = state.seen ?: []; state.seen = l; l << [n: l.size()]; state.n = (state.n"
            + " ?: 0) + 1; return [data: [n: state.n, seen: l]]",
        "KOTLIN ~ @Suppress(\"UNCHECKED_CAST\") val l = (state[\"seen\"] ?: mutableListOf<Any?>())"
            + " as MutableList<Any?>; state[\"seen\"] = l; l.add(mapOf(\"n\" to l.size)); val n ="
            + " ((state[\"n\"] ?: 0) as Int) + 1; state[\"n\"] = n; return mapOf(\"data\" to"
            + " mapOf(\"n\" to n, \"seen\" to l))"
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
        "JAVASCRIPT | let n\\n"
            + "function init(s) { n = s.n + s.text }\\n"
            + "function enrich(r) { return {data: {n: n}} }",
        "PYTHON | n = ''\\n"
            + "def init(s):\\n"
            + "  global n\\n"
            + "  n = str(s['n']) + s['text']\\n"
            + "def enrich(r, state):\\n"
            + "  return {'data': {'n': n}}",
        "GROOVY | @Field n = ''\\n"
            + "def init(s) { n = s.n + s.text }\\n"
            + "def enrich(r) { [data: [n: n]] }",
        "KOTLIN | var n = \"\"\\n"
            + "fun init(s: Map<String, Any?>) { n = \"\" + s[\"n\"] + s[\"text\"] }\\n"
            + "fun enrich(r: ScriptRecord): Any? = mapOf(\"data\" to mapOf(\"n\" to n))"
      })
  void initIsGivenTheSettings(Language language, String source) throws Exception {
    try (Script script = open(language, source.replace("\\n", "\n"))) {
      assertEquals("raw a/b 7 {\"n\":\"5t\"}", call(script, "{}"));
    }
  }
}
