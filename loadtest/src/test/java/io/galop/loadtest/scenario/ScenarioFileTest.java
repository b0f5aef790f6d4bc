package io.galop.loadtest.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.loadtest.Measures;
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
    return assertThrows(ScenarioException.class, () -> ScenarioFile.parse(FILE, text, Measures.ALL))
        .getMessage()
        .lines()
        .toList();
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
                growth: 2
            """);
    assertEquals(
        List.of(
            "s.yaml:5: inject.speed: unknown key; there are: door, connections, bytes, topics,"
                + " groupUs",
            "s.yaml:3: inject.door: 'pigeon' must be one of: http, tcp-ndjson, tcp-protobuf, mqtt,"
                + " bridge, ring",
            "s.yaml:4: inject.bytes: 7 must be from 80 to 60000",
            "s.yaml:6: goal: must be a map of keys",
            "s.yaml:10: measure.knee.growth: given twice"),
        told);
  }

  @Test
  void whatMustBeGivenAndKindsThatAreNotThere() {
    assertEquals(List.of("s.yaml:1: measure: must be given"), mistakes("name: a\n"));
    String kinds = mistakes("name: a\nmeasure:\n  fly: {}\n").get(0);
    assertEquals("s.yaml:3: measure.fly: unknown; there are: ", kinds.substring(0, 43));
  }

  @Test
  void rulesBetweenKeysAreKept() {
    String text = "name: a\nmeasure:\n  knee:\n    fromPerSecond: 9\n    toPerSecond: 3\n";
    assertEquals(
        List.of("s.yaml:4: measure.knee: toPerSecond is below fromPerSecond"), mistakes(text));
  }

  @Test
  void aNodesConfigurationIsHandedOnAndItsYamlChecked() throws Exception {
    String measure = "name: a\nmeasure: {knee: {}}\nstart:\n  config:\n";
    Scenario scenario =
        ScenarioFile.parse(FILE, measure + "    node: {shards: 4, name: n}\n", Measures.ALL);
    assertEquals(Map.of("node", Map.of("shards", 4L, "name", "n")), scenario.start().config());
    String wrong = "    node: {shards: 99999999999999999999, name: n, name: m}\n    [a]: 1\n";
    assertEquals(
        List.of(
            "s.yaml:5: start.config.node.shards: 99999999999999999999 is too large a number",
            "s.yaml:5: start.config.node.name: given twice",
            "s.yaml:6: start.config: its keys must be single words"),
        mistakes(measure + wrong));
  }

  @Test
  void theWaysOfAKindAreWords() {
    String text =
        "name: a\nmeasure:\n  reads:\n    ways: [cached-buffer, pigeon]\n    records: 300\n";
    assertEquals(
        List.of(
            "s.yaml:4: measure.reads.ways: 'pigeon' must be one of: cached-buffer, event-loop,"
                + " worker-pool"),
        mistakes(text));
    assertEquals(
        List.of(
            "s.yaml:4: measure.reads: records is 300, but a topic has only stored / topics = 200"),
        mistakes("name: a\nmeasure:\n  reads:\n    records: 300\n"));
  }

  @Test
  void whatIsNoTextIsSaidSo(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("s.yaml"), new byte[] {'a', (byte) 0xff});
    ScenarioException told =
        assertThrows(ScenarioException.class, () -> ScenarioFile.read(file, Measures.ALL));
    assertEquals(file + ": is not UTF-8 text", told.getMessage());
  }

  @Test
  void whatIsNoYamlIsSaidSo() throws IOException {
    String told = mistakes("name: [a\n").get(0);
    assertEquals("s.yaml: line ", told.substring(0, 13));
    assertEquals(List.of("s.yaml: is empty"), mistakes(""));
  }
}
