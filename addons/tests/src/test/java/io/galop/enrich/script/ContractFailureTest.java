package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a script is told or ended for, in any language. */
@Timeout(300)
class ContractFailureTest extends EachLanguage {
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
