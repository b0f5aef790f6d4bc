package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the cases of every shipped script in the languages of add-ons; one without cases fails. */
class ShippedCasesTest {
  private static final Path SCRIPTS = Path.of("../../verticles/scripts");

  @TestFactory
  List<DynamicTest> cases() throws IOException {
    List<Path> found;
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      found =
          files.filter(file -> file.toString().matches(".*\\.(py|groovy|kts)")).sorted().toList();
    }
    assertFalse(found.isEmpty(), "no scripts in " + SCRIPTS.toAbsolutePath());
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : found) {
      ScriptPlace place = ScriptPlace.of(file);
      String text = place.cases().orElseThrow(() -> new AssertionError("no " + place.casesFile()));
      for (ScriptCase one : ScriptCases.read(place.casesFile(), text)) {
        tests.add(
            dynamicTest(
                place.file() + ": " + one.name(),
                () -> assertEquals(List.of(), CaseRun.differences(place, one))));
      }
    }
    return tests;
  }
}
