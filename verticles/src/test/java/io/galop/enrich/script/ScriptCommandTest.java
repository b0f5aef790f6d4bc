package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class ScriptCommandTest {
  private static final String DOUBLE =
      "let by = 2; function init(s) { by = s.by || by }\n"
          + "function enrich(r) { if (r.data.n < 0) throw new RangeError('below 0')\n"
          + " if (r.data.n === 0) return null\n"
          + " return [{data: {n: r.data.n * by}}, {topic: 'copy', data: r.data}] }";
  @TempDir Path directory;

  private String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private CommandRun test(String cases) throws IOException {
    String script = write("double.js", DOUBLE);
    write("double.cases.yaml", cases);
    return CommandRun.of("", "test", script);
  }

  private static String record(String id, String topic, int n) {
    return "{id: '%s', topic: %s, timeUs: 1, data: '{\"n\":%d}'}".formatted(id, topic, n);
  }

  @Test
  void aDifferenceIsShown() throws Exception {
    String inputs = "    inputs: [" + record("a", "t", 1) + "]\n";
    CommandRun run =
        test(
            "cases:\n  - name: right\n"
                + inputs
                + "    outputs: [%s, %s]\n"
                    .formatted(record("a#1", "t", 2), record("a#2", "copy", 1))
                + "  - name: not right\n"
                + inputs
                + "    outputs: [%s, %s]\n"
                    .formatted(record("a#1", "t", 3), record("a#2", "copy", 1)));
    assertEquals(1, run.code(), run.failure());
    assertEquals(
        """
        ok    right
        FAIL  not right
              - a#1 t 1 {"n":3}
              + a#1 t 1 {"n":2}
        double.js: 1 passed, 1 failed
        """,
        run.out());
  }

  @Test
  void aRejectionThatWasNotWantedOrNotTheWantedOneFails() throws Exception {
    String inputs = "    inputs: [%s, %s]\n".formatted(record("a", "t", 0), record("b", "t", -1));
    CommandRun run =
        test(
            "cases:\n  - name: wanted\n%s    rejects: below 0\n".formatted(inputs)
                + "  - name: another\n%s    rejects: above 9\n".formatted(inputs)
                + "  - name: none\n%s    outputs: []\n".formatted(inputs)
                + "  - name: taken\n    inputs: [%s]\n    rejects: x\n"
                    .formatted(record("a", "t", 1)));
    assertEquals(1, run.code(), run.failure());
    assertEquals(
        """
        ok    wanted
        FAIL  another
              input 2 is rejected: RangeError: below 0 (double.js, line 2)
              which does not hold 'above 9'
        FAIL  none
              input 2 is rejected: RangeError: below 0 (double.js, line 2)
        FAIL  taken
              the last input was to be rejected with 'x', but was taken
        double.js: 1 passed, 3 failed
        """,
        run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cases: | must hold a list 'cases'",
        "cases: [{name: a | is no YAML",
        "cases: [5] | case 1: must be a mapping",
        "cases: [{name: a, inputs: []}] | a: inputs must hold a record at least",
        "cases: [{name: a, inputs: [{topic: t, data: '{}'}]}] | inputs[0].timeUs must be a whole",
        "cases: [{name: a, inputs: [{topic: t, timeUs: 1, data: {}}]}] | a JSON object in quotes",
        "cases: [{inputs: [{topic: t, timeUs: 1, data: '{}'}]}] | case 1: outputs must be a list",
      })
  void casesThatAreNoneAreWrongUsage(String cases, String rule) throws Exception {
    CommandRun run = test(cases);
    assertEquals(2, run.code(), run.out());
    assertTrue(run.failure().startsWith("double.cases.yaml"), run.failure());
    assertTrue(run.failure().contains(rule), run.failure());
  }

  @Test
  void aScriptThatCannotBeLoadedFailsEveryCase() throws Exception {
    String script = write("broken.js", "function enrich(r) {");
    write(
        "broken.cases.yaml", "cases: [{inputs: [%s], outputs: []}]".formatted(record("a", "t", 1)));
    CommandRun run = CommandRun.of("", "test", script);
    assertEquals(1, run.code());
    assertTrue(run.out().contains("script broken.js cannot be started"), run.out());
  }

  @Test
  void whatIsNowhereIsWrongUsage() throws Exception {
    CommandRun noScript = CommandRun.of("", "test", directory.resolve("no.js").toString());
    assertEquals(2, noScript.code());
    assertTrue(noScript.failure().contains("write "), noScript.failure());
    CommandRun noCases = CommandRun.of("", "test", write("alone.js", DOUBLE));
    assertEquals(2, noCases.code());
    assertTrue(noCases.failure().contains("alone.cases.yaml"), noCases.failure());
    assertEquals(2, CommandRun.of("", "try", "nowhere.js", "--from", "-").code());
  }

  @Test
  void aShippedScriptIsTestedByItsName() {
    CommandRun run = CommandRun.of("", "test", "celsius.js");
    assertEquals(0, run.code(), run.failure());
    assertTrue(run.out().endsWith("celsius.js: 3 passed, 0 failed\n"), run.out());
  }

  @Test
  void triesLinesOfStandardInputAndNumbersWhatFails() throws Exception {
    String input =
        """
        {"topic":"t","pos":"1.2-3","id":"a","time":7,"data":{"n":1}}

        {"topic":"t","data":{"n":-1}}
        {"topic":"t","data":{"n":0}}
        {"data":{"n":1}}
        {"topic":"t","data":5}
        {"topic":"t","time":"x","data":{}}
        no json
        {"topic":"t","time":8,"data":{"n":3}}\
        """;
    CommandRun run =
        CommandRun.of(input, "try", write("d.js", DOUBLE), "--from", "-", "--setting", "by=5");
    assertEquals(1, run.code(), run.failure());
    assertEquals(
        """
        {"topic":"t","data":{"n":5},"id":"a#1","time":7}
        {"topic":"copy","data":{"n":1},"id":"a#2@47mKTaMaEn","time":7}
        {"topic":"t","data":{"n":15},"id":"line-9#1","time":8}
        {"topic":"copy","data":{"n":3},"id":"line-9#2@47mKTaMaEn","time":8}
        """,
        run.out());
    assertEquals(
        """
        line 3: rejected: RangeError: below 0 (d.js, line 2)
        line 5: names no 'topic'; name it there or with --topic
        line 6: has no field 'data' with a JSON object
        line 7: has a 'time' that is no whole number of microseconds since 1970
        """,
        run.err().lines().limit(4).reduce("", (all, line) -> all + line + "\n"));
    assertTrue(run.err().contains("line 8: is no valid JSON"), run.err());
    assertTrue(run.err().contains("8 records in, 4 out, 1 dropped, 5 failed"), run.err());
  }

  @Test
  void withATopicEachLineIsTheData() throws Exception {
    String data = write("d.jsonl", "{\"n\":1}\r\n{\"n\":2}\r\n");
    CommandRun run =
        CommandRun.of("", "try", write("d.js", DOUBLE), "--from", data, "--topic", "a/b");
    assertEquals(0, run.code(), run.failure() + run.err());
    assertEquals(4, run.out().lines().count());
    assertTrue(run.out().startsWith("{\"topic\":\"a/b\",\"data\":{\"n\":2},\"id\":\"line-1#1\""));
  }
}
