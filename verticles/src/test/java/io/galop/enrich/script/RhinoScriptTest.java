package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.enrich.script.rhino.RhinoScript;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for JavaScript holds for scripts that ask for Rhino, and both make the same bytes. */
@Tag("slow")
@Timeout(180)
class RhinoScriptTest extends ScriptTest {
  private static final String DATA =
      "{\"b\":1,\"10\":2,\"l\":[1,{\"x\":null},\"t\\u00e9\\ud83d\\ude00\",[2.50]],"
          + "\"big\":123456789012345678901234567890,\"long\":9007199254740993,\"f\":1.50,"
          + "\"neg\":-0.0,\"yes\":true,\"none\":null,\"o\":{\"p\":{\"q\":\"z\"}}}";

  private String directive = "'use rhino'; ";

  @Override
  String directive() {
    return directive;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return r",
        "r.data.m = [1, 2.5, {a: r.data.l}]; delete r.data.b; r.data[10] = 3; r.data[7] = 1; return"
            + " r",
        "r.data.l.push({y: undefined, z: [undefined]}); r.data.l[0] = 'new'; return [r, r]",
        "const d = r.data; return {data: {keys: Object.keys(d), values: Object.values(d.l),"
            + " entries: Object.entries(d.o), has: 'b' in d, own: d.hasOwnProperty('10'), lacks:"
            + " 'zz' in d, none: d.zz === undefined, nul: d.none === null, types: [typeof d.big,"
            + " typeof d.long, typeof d.l, typeof d.yes], json: JSON.stringify(d.l), isList:"
            + " Array.isArray(d.l), n: d.l.length, beyond: d.l[9] === undefined, i: d[10]}}",
        "const d = r.data; return {data: {sum: d.long + 1, twice: d.big * 2, eq: d.b === 1,"
            + " less: d.b < d[10], half: d[10] / 4, inc: ++d.b, bits: 1 << 30, large: 2 ** 60,"
            + " more: 1e300, zero: -0, neg: d.neg, text: '' + d.f + d[10]}}",
        "const keys = []; for (let k in r.data) keys.push(k); for (let x of r.data.l) keys.push(x);"
            + " return {data: {keys: keys, some: [...r.data.l, 5], joined: r.data.l.slice(0, 1)}}",
        "const {b, o: {p}} = r.data; const [first, , third = 9] = r.data.l;"
            + " return {data: {b, p, first, third, t: `${b}-${p.q}`, c: p?.q ?? 1, e: p.zz?.y}}",
        "return [1, 2].map(n => ({topic: 'x/' + n, timeUs: r.timeUs + n, data: {n: n, l:"
            + " r.data.l}}))",
        "return {data: {at: new Date(5), map: new Map([['a', {b: 1}], [2, [3]]]), set: new"
            + " Set([1])}}",
        "function* all() { yield r; yield {data: {n: 1}} } return all()",
        "return new Set([{data: {n: 1}}, {topic: 't', data: {}}])",
        "r.data.self = {record: r.data.o}; r.data.again = r.data.o; return r",
        "return {data: {u: undefined, n: null, l: [undefined, null], s: 'a\\u0007\"\\\\\\ud800'}}",
        "return {data: {f: () => 1}}",
        "return {data: {s: Symbol('x')}}",
        "return () => 1",
        "return 'text'",
        "return true",
        "return Object.assign({}, {data: r.data})",
        "return {data: {a: r.data.l.concat([1]), b: r.data.l.indexOf(1), c: r.data.l.includes(7),"
            + " d: r.data.l.reverse(), e: [3, 1, 2].sort(), f: 'a,b'.split(','), g:"
            + " r.data.l.join()}}"
      })
  void bothEnginesMakeTheSame(String body) throws Exception {
    String source = "function enrich(r, state) { " + body + " }";
    assertEquals(outcomes("", source), outcomes("'use rhino'; ", source));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s.n = (s.n || 0) + 1; return {data: {n: s.n, keys: Object.keys(s), has: 'n' in s}}",
        "s.l = s.l || []; s.l.push(r.data.b, r.data.o); return {data: {l: s.l, n: s.l.length,"
            + " isList: Array.isArray(s.l), doubled: s.l.map(x => x), json: JSON.stringify(s.l)}}",
        "s.o = s.o || {}; s.o[s.o.a ? 'b' : 'a'] = {x: [1, r.data.o]}; const was = s.o.a; return"
            + " {data: {same: was === s.o.a, o: s.o, e: Object.entries(s), j: JSON.stringify(s)}}",
        "const m = s[5] || (s[5] = {}); delete s[5]; s[5] = m; m.k = 1.0; s.z = s.z ? 0 : 1;"
            + " return {data: {keys: Object.keys(s), all: Object.values(s)}}",
        "s.l = s.l || [1, 2, 3, 4]; s.l.splice(1, 1); s.l.unshift(9); s.l.reverse();"
            + " return {data: {l: s.l, last: s.l[s.l.length - 1], over: s.l[99] === undefined}}",
        "s.l = s.l || [3, 1, 2]; s.l.sort(); const p = s.l.pop(); const f = s.l.shift();"
            + " s.l.push(f, p); return {data: {l: s.l, p, f, found: s.l.find(x => x > 1)}}",
        "for (let k in s) delete s[k]; s['k' + r.data.b] = r.data.big; s.u = undefined; s.long ="
            + " r.data.long; return {data: {a: Object.assign({}, s), t: typeof s.long, seen: 'u' in"
            + " s}}",
        "s.a = 1; s[2] = {b: 3}; const copy = {...s}; const seen = []; for (let k in s)"
            + " seen.push(k); return {data: {copy, seen, own: s.hasOwnProperty('a'), not:"
            + " s.hasOwnProperty('b'), text: `${s}`, names: Object.getOwnPropertyNames(r.data.o)}}",
        "s.f = () => 1; return r",
        "s.me = s; return {data: {ok: s.me === s}}",
        "return {data: s}",
      })
  void bothEnginesKeepTheSame(String body) throws Exception {
    String source = "function enrich(r, s) { " + body + " }";
    assertEquals(outcomes("", source), outcomes("'use rhino'; ", source));
  }

  private String outcomes(String begin, String source) throws Exception {
    directive = begin;
    StringBuilder outcomes = new StringBuilder();
    try (Script script = open(source)) {
      for (int i = 0; i < 3; i++) {
        try {
          outcomes.append(call(script, DATA)).append('\n');
        } catch (ScriptFailure e) {
          outcomes.append("refused: ").append(e.getMessage()).append('\n');
        }
      }
    }
    return outcomes.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for (;;) { try { while (true) {} } finally { continue } }",
        "function f() { try { while (true) {} } finally { return } } for (;;) f()",
        "function* g() { try { while (true) {} } finally { yield 1 } } for (;;) [...g()]",
        "for (;;) { try { 'a'.repeat(9).replace(/a/g, () => { while (true) {} }) } catch (e) {} }",
      })
  void aFinallyDoesNotGoOn(String endless) throws Exception {
    try (Script script = open("function enrich(r) { " + endless + " }", 10_000_000_000L, 300)) {
      ScriptFailure failure = assertThrows(ScriptFailure.class, () -> call(script, "{}"));
      assertTrue(failure.isByLimit(), failure.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "new Array(4e9).fill(1)                  | fill of 4000000000",
        "const a = []; a.length = 4e9; a.join()  | join of 4000000000",
        "Array.from({length: 4e9})               | from of 4000000000",
        "Math.max.apply(null, {length: 4e9})     | apply of 4000000000",
        "[].concat(new Array(4e9))               | concat of 4000000000",
        "'x'.repeat(1e9)                         | repeat of 1000000000",
        "'x'.padEnd(1e9)                         | padEnd of 1000000000",
        "Array.from(r.data.text)                 | from of 2000000",
        "Math.max.apply(null, r.data.text)       | apply of 2000000",
        "[].slice.call(r.data.text)              | slice of 2000000",
        "[].slice.call(r.data.list)              | slice of 2000000",
        "r.data.ten.repeat(2000000)              | repeat of 20000000",
        "new Promise(() => {})                   | Promise",
        "new ArrayBuffer(1e9)                    | ArrayBuffer",
        "java.lang.System.exit(3)                | java",
        "Packages.java.lang.System.exit(3)       | Packages",
        "r.constructor.constructor('return java')() | java",
        "getClass()                              | getClass",
        "r.data.getClass()                       | getClass",
      })
  void whatWouldHoardOrGetOutIsRefused(String body, String expected) throws Exception {
    String data =
        "{\"text\":{\"length\":\"2000000\"},\"list\":{\"length\":[2000000]},\"ten\":\"0123456789\"}";
    String detail = failure("function enrich(r) { " + body + "; return r }", data);
    assertTrue(detail.contains(expected), detail);
  }

  @Test
  void whatTakesTooMuchMemoryIsEnded() throws Exception {
    String source = "function enrich(r) { const a = []; for (;;) a.push([1, 2, 3]) }";
    try (Script script = open(source, 10_000_000_000L, 60_000)) {
      ScriptFailure failure = assertThrows(ScriptFailure.class, () -> call(script, "{}"));
      assertTrue(failure.isByLimit(), failure.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'use rhino'                         | true",
        "\"use rhino\";let x                 | true",
        "'use rhino' // why                  | true",
        "'use rhino' /* why */\\nlet x        | true",
        "'use rhino'\\r\\nlet x               | true",
        "// says what it does\\n/* and */\\n'use rhino';  | true",
        "'use strict'; 'use rhino';          | false",
        "// 'use rhino'\\n                   | false",
        "let x = 'use rhino';                | false",
        "'use rhino' + 1                     | false",
        "``                                  | false",
      })
  void theFirstDirectiveAsksForIt(String text, boolean wanted) {
    assertEquals(wanted, RhinoScript.isWantedBy(text.replace("\\r", "\r").replace("\\n", "\n")));
  }

  /** The shipped script: a record reaches no other topic, and its engine makes no difference. */
  @Test
  void noRecordChangesWhatObjectsOfTheScriptShare() throws Exception {
    String shipped = Files.readString(Path.of("scripts/betfair.js")).replace("'use rhino'", "");
    String evil =
        "{'op':'mcm','pt':1,'mc':[{'id':'new','rc':[{'id':'__proto__','ltp':5.5,'tv':9},"
            + "{'id':'constructor','ltp':6}]},{'id':'constructor','rc':[{'id':7}]}]}";
    String again = evil.replace("'constructor'", "'valueOf'");
    String later = "{'op':'mcm','pt':2,'mc':[{'id':'1.5','rc':[{'id':8},{'id':'constructor'}]}]}";
    List<String> made = new ArrayList<>();
    for (String engine : List.of("", "'use rhino'; ")) {
      directive = engine;
      try (Script script = open(shipped)) {
        String first =
            call(script, evil.replace('\'', '"')) + call(script, again.replace('\'', '"'));
        byte[] other = later.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        for (Record record : script.call(new Record("o", "other", 1, other))) {
          String data = new String(record.data(), StandardCharsets.UTF_8);
          assertFalse(data.contains("odds"), data);
        }
        made.add(first);
      }
    }
    assertTrue(made.get(0).contains("\"runner\":\"__proto__\",\"odds\":5.5"), made.get(0));
    assertEquals(made.get(0), made.get(1));
  }

  @Test
  void whatRhinoDoesNotKnowIsRefusedWithItsLine() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> open("\nclass A {}\nfunction enrich(r) { return r }").close())
            .getMessage();
    assertTrue(message.contains("s.js, line 2"), message);
    assertFalse(message.contains("\n"), message);
  }
}
