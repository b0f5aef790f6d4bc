package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.yaml.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnrichCheckTest {
  @TempDir Path directory;

  private static GalopConfig load(Path file) {
    return ConfigLoader.load(Optional.of(file), Map.of(), List.of(), Map.of());
  }

  @Test
  void theFilesOfEveryExampleAreThere() throws Exception {
    try (Stream<Path> examples = Files.list(Path.of("../docs/examples"))) {
      for (Path example : examples.filter(p -> p.toString().endsWith(".yaml")).toList()) {
        assertEquals(List.of(), EnrichCheck.problems(load(example)), example.toString());
      }
    }
  }

  @Test
  void namesEveryStepWhoseFileIsMissingOrBroken() throws Exception {
    Files.writeString(directory.resolve("bad.js"), "function enrich(r) {\n  return {\n");
    Path yaml = directory.resolve("galop.yaml");
    Files.writeString(
        yaml,
        """
        enrich:
          chain:
            - noop
            - script: {file: bad.js}
            - lookup: {table: none.csv, field: x}
        """);
    List<String> problems = EnrichCheck.problems(load(yaml));
    assertEquals(2, problems.size(), problems.toString());
    assertTrue(problems.get(0).startsWith("enrich.chain[1]: script bad.js"), problems.get(0));
    assertTrue(problems.get(0).contains("line 3"), problems.get(0));
    assertTrue(problems.get(1).startsWith("enrich.chain[2]: table none.csv"), problems.get(1));
    assertTrue(problems.get(1).contains(directory.toString()), problems.get(1));
  }

  @Test
  void aNodeWithoutTheRoleNeedsNoFiles() {
    GalopConfig config =
        ConfigLoader.parse(
            "node: {roles: [broadcast]}\ncluster: {members: [127.0.0.1]}\n"
                + "enrich: {chain: [{script: {file: none.js}}]}",
            "test.yaml");
    assertEquals(List.of(), EnrichCheck.problems(config));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{lookup: {table: t.csv}} | enrich.chain[0].lookup.field: or topicLevel must say where",
        "{lookup: {table: t.csv, field: x, topicLevel: 1}} | must say where the key is, not both",
        "{drop: {equals: x}} | enrich.chain[0].drop.equals: needs the key field",
        "{drop: {topics: [a/#/b]}} | enrich.chain[0].drop.topics: filter 'a/#/b'",
        "{drop: {topics: []}} | enrich.chain[0].drop.topics: must name a filter",
        "{sample: {every: 0}} | enrich.chain[0].sample.every: must be",
        "{calculate: {field: ''}} | enrich.chain[0].calculate.field: must not be empty",
        "{shuffle: {}} | must be calculate, drop, lookup, noop, sample, schema or script"
      })
  void aWrongStepIsRefusedWithItsPath(String step, String expected) {
    String message =
        Assertions.assertThrows(
                ConfigException.class,
                () -> ConfigLoader.parse("enrich: {chain: [" + step + "]}", "test.yaml"))
            .getMessage();
    assertTrue(message.contains(expected), message);
  }
}
