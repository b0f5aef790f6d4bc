package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.config.ConfigLoader;
import io.galop.config.enrich.ScriptConfig;
import io.galop.record.Record;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;

/** Scripts in each language, for tests of what is the same in all. */
abstract class EachLanguage {
  static final String DATA =
      "{\"x\":1,\"f\":3.0,\"big\":1234567890123456789012,\"long\":9007199254740993,\"e\":1e-7,"
          + "\"t\":\"é\\u0001\\\"\",\"list\":[1,{\"a\":null}],\"b\":true}";

  @TempDir Path directory;
  final TopicStates states =
      new TopicStates(new TopicStates.Bounds(10, Long.MAX_VALUE, Long.MAX_VALUE), () -> {});

  /** A language with the least that stands around the body of a function in it. */
  enum Language {
    JAVASCRIPT("js", "function enrich(r, state) {\n%s\n}\n"),
    PYTHON("py", "def enrich(r, state):\n%s\n"),
    GROOVY("groovy", "def enrich(r, state) {\n%s\n}\n"),
    KOTLIN("kts", "fun enrich(r: ScriptRecord, state: MutableMap<String, Any?>): Any? {\n%s\n}\n");

    final String suffix;
    private final String around;

    Language(String suffix, String around) {
      this.suffix = suffix;
      this.around = around;
    }

    String source(String body) {
      return around.formatted(body.indent(2).stripTrailing());
    }
  }

  Script open(Language language, String source) throws IOException {
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

  static String call(Script script, String data) throws ScriptFailure {
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

  String result(Language language, String body) throws Exception {
    try (Script script = open(language, language.source(body))) {
      return call(script, DATA);
    }
  }

  String failure(Language language, String body) throws Exception {
    try (Script script = open(language, language.source(body))) {
      return assertThrows(ScriptFailure.class, () -> call(script, DATA)).getMessage();
    }
  }
}
