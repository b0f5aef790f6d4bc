package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Record;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Runs the cases beside every shipped script. */
class ScriptCasesTest {
  private static final Path SCRIPTS = Path.of("scripts");

  @Test
  void everyScriptHasCases() throws IOException {
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      List<String> without =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".js"))
              .filter(name -> !Files.exists(SCRIPTS.resolve(name.replace(".js", ".cases.yaml"))))
              .toList();
      assertEquals(List.of(), without);
    }
  }

  @TestFactory
  List<DynamicContainer> cases() throws IOException {
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      List<DynamicContainer> found =
          files
              .filter(file -> file.toString().endsWith(".cases.yaml"))
              .sorted()
              .map(ScriptCasesTest::casesOf)
              .toList();
      assertFalse(found.isEmpty(), "no cases in " + SCRIPTS.toAbsolutePath());
      return found;
    }
  }

  private static DynamicContainer casesOf(Path file) {
    Map<?, ?> root = read(file);
    String script = (String) root.get("script");
    List<DynamicTest> tests = new ArrayList<>();
    for (Object one : (List<?>) root.get("cases")) {
      Map<?, ?> testCase = (Map<?, ?>) one;
      tests.add(
          DynamicTest.dynamicTest((String) testCase.get("name"), () -> run(script, testCase)));
    }
    return DynamicContainer.dynamicContainer(script, tests);
  }

  private static Map<?, ?> read(Path file) {
    try {
      Load load = new Load(LoadSettings.builder().setLabel(file.toString()).build());
      return (Map<?, ?>) load.loadFromString(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(String file, Map<?, ?> testCase) throws ScriptFailure {
    List<Record> inputs = records(testCase.get("inputs"));
    try (Script script = Script.open(Scripts.config(file, settings(testCase)), "scripts", 256)) {
      if (testCase.get("rejects") instanceof String rejects) {
        refuses(script, inputs, rejects);
        return;
      }
      List<String> outputs = new ArrayList<>();
      for (Record input : inputs) {
        script.call(input).forEach(record -> outputs.add(show(record)));
      }
      List<String> expected =
          records(testCase.get("outputs")).stream().map(ScriptCasesTest::show).toList();
      assertEquals(String.join("\n", expected), String.join("\n", outputs));
    }
  }

  private static void refuses(Script script, List<Record> inputs, String rejects)
      throws ScriptFailure {
    for (Record input : inputs.subList(0, inputs.size() - 1)) {
      script.call(input);
    }
    Record last = inputs.get(inputs.size() - 1);
    String detail = assertThrows(ScriptFailure.class, () -> script.call(last)).getMessage();
    assertTrue(detail.contains(rejects), detail);
  }

  private static Map<String, String> settings(Map<?, ?> testCase) {
    Map<String, String> settings = new java.util.HashMap<>();
    if (testCase.get("settings") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> settings.put((String) key, (String) value));
    }
    return settings;
  }

  private static List<Record> records(Object listed) {
    List<Record> records = new ArrayList<>();
    for (Object one : (List<?>) listed) {
      Map<?, ?> fields = (Map<?, ?>) one;
      String id = fields.get("id") instanceof String given ? given : "i" + (records.size() + 1);
      records.add(
          new Record(
              id,
              (String) fields.get("topic"),
              ((Number) fields.get("timeUs")).longValue(),
              ((String) fields.get("data")).getBytes(StandardCharsets.UTF_8)));
    }
    return records;
  }

  private static String show(Record record) {
    String data = new String(record.data(), StandardCharsets.UTF_8);
    return record.id() + ' ' + record.topic() + ' ' + record.timeUs() + ' ' + data;
  }
}
