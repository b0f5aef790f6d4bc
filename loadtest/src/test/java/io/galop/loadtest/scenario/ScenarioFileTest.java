package io.galop.loadtest.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.loadtest.Measures;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scenario files are read, and their mistakes are told by file, line and key. */
class ScenarioFileTest {
  private static final Path FILE = Path.of("s.yaml");

  private static List<String> mistakes(String text) {
    return assertThrows(ConfigException.class, () -> ScenarioFile.parse(FILE, text, Measures.ALL))
        .problems();
  }

  @Test
  void everyShippedScenarioIsRight() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of("scenarios"))) {
      files = all.sorted().toList();
    }
    assertFalse(files.isEmpty());
    for (Path file : files) {
      Scenario scenario = ScenarioFile.read(file, Measures.ALL);
      assertEquals(file.getFileName().toString(), scenario.name() + ".yaml");
      assertFalse(scenario.about().isBlank(), file + " says what it is about");
    }
  }

  @Test
  void whatIsNotGivenHasItsDefault() throws Exception {
    Scenario scenario = ScenarioFile.parse(FILE, "name: a\nmeasure:\n  knee: {}\n", Measures.ALL);
    assertEquals(DoorWord.TCP_NDJSON, scenario.inject().door());
    assertEquals(290, scenario.inject().bytes());
    assertEquals(1, scenario.start().nodes());
  }

  @Test
  void allMistakesAreToldAtOnce() {
    List<String> told =
        mistakes(
            """
            name: a
            inject:
              door: pigeon
              bytes: 7
              speed: 3
            goal: 5
            measure:
              knee:
                growth: fast
            """);
    assertEquals(
        List.of(
            "inject.speed: unknown key, known here: door, connections, bytes, topics, groupUs"
                + " (s.yaml:5)",
            "inject.door: must be http, tcp-ndjson, tcp-protobuf, mqtt, bridge or ring, not"
                + " 'pigeon' (s.yaml:3)",
            "inject.bytes: must be a whole number from 80 to 60000, not '7' (s.yaml:4)",
            "goal: must be a map with the keys p99Ms, completeness, achieved, backlogSlope, not '5'"
                + " (s.yaml:6)",
            "measure.knee.growth: must be a number from 1.1 to 10, not 'fast' (s.yaml:9)"),
        told);
    assertEquals(
        List.of("goal.p99Ms: given twice, first at s.yaml:1 (s.yaml:1)"),
        mistakes("goal: {p99Ms: 3, p99Ms: 4}\n"));
  }

  @Test
  void whatMustBeGivenAndKindsThatAreNotThere() {
    String kinds = "knee, long-run, matrix, notifier, queries, reads, steady or viewers";
    assertEquals(
        List.of("measure: must be given: a map with one key, " + kinds + " (s.yaml:1)"),
        mistakes("name: a\n"));
    assertEquals(
        List.of("measure: must be " + kinds + ", not 'fly' (s.yaml:2)"),
        mistakes("name: a\nmeasure: {fly: {}}\n"));
    assertEquals(
        List.of("measure.steady.ratesPerSecond: must name at least one (s.yaml:2)"),
        mistakes("name: a\nmeasure: steady\n"));
  }

  @Test
  void rulesBetweenKeysAreKept() {
    String text = "name: a\nmeasure:\n  knee:\n    fromPerSecond: 9\n    toPerSecond: 3\n";
    assertEquals(
        List.of("measure.knee.toPerSecond: must not be below fromPerSecond (s.yaml:5)"),
        mistakes(text));
  }

  @Test
  void aNodesConfigurationIsHandedOnAndItsYamlChecked() throws Exception {
    String measure = "name: a\nmeasure: {knee: {}}\nstart:\n  config:\n";
    Scenario scenario =
        ScenarioFile.parse(FILE, measure + "    node: {shards: 4, name: n}\n", Measures.ALL);
    assertEquals(Map.of("node", Map.of("shards", "4", "name", "n")), scenario.start().config());
    String wrong = "    node: {shards: !x 9, name: n, name: m}\n    [a]: 1\n";
    assertEquals(
        List.of(
            "start.config.node.shards: must not have a tag, not !x (s.yaml:5)",
            "start.config.node.name: given twice, first at s.yaml:5 (s.yaml:5)",
            "start.config: must have words as keys, not a list or a map (s.yaml:6)"),
        mistakes(measure + wrong));
  }

  @Test
  void theWaysOfAKindAreWords() {
    String text =
        "name: a\nmeasure:\n  reads:\n    ways: [cached-buffer, pigeon]\n    records: 300\n";
    assertEquals(
        List.of(
            "measure.reads.ways[1]: must be cached-buffer, event-loop or worker-pool, not 'pigeon'"
                + " (s.yaml:4)"),
        mistakes(text));
    assertEquals(
        List.of("measure.reads.records: must not be above stored / topics, 300 > 200 (s.yaml:4)"),
        mistakes("name: a\nmeasure:\n  reads:\n    records: 300\n"));
  }

  @Test
  void whatIsNoTextIsSaidSo(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("s.yaml"), new byte[] {'a', (byte) 0xff});
    ConfigException told =
        assertThrows(ConfigException.class, () -> ScenarioFile.read(file, Measures.ALL));
    assertEquals(file + ": is not UTF-8 text", told.getMessage());
  }

  @Test
  void whatIsNoYamlIsSaidSo() throws IOException {
    String told = mistakes("name: [a\n").get(0);
    assertEquals("s.yaml:2:1: is not valid YAML, ", told.substring(0, 31));
    assertEquals("name: must be given: text (s.yaml)", mistakes("").get(0));
  }
}
