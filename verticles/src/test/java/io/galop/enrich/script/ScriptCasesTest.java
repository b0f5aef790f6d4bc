package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** Runs the cases beside every shipped script; one without cases fails. */
class ScriptCasesTest {
  private static final Path SCRIPTS = Path.of("scripts");

  @TestFactory
  List<DynamicContainer> cases() throws IOException {
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      List<DynamicContainer> found =
          files
              .filter(file -> file.toString().matches(".*\\.(js|map)"))
              .sorted()
              .map(ScriptCasesTest::casesOf)
              .toList();
      assertFalse(found.isEmpty(), "no scripts in " + SCRIPTS.toAbsolutePath());
      return found;
    }
  }

  private static DynamicContainer casesOf(Path file) {
    ScriptPlace place = ScriptPlace.of(file);
    return dynamicContainer(
        place.file(),
        Stream.of(place)
            .flatMap(ScriptCasesTest::read)
            .map(
                one ->
                    dynamicTest(
                        one.name(),
                        () -> assertEquals(List.of(), CaseRun.differences(place, one)))));
  }

  private static Stream<ScriptCase> read(ScriptPlace place) {
    try {
      String text = place.cases().orElseThrow(() -> new AssertionError("no " + place.casesFile()));
      return ScriptCases.read(place.casesFile(), text).stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
