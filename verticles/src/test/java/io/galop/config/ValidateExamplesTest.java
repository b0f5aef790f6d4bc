package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The example files that the documentation offers can be started with. */
class ValidateExamplesTest {
  @Test
  void everyExampleIsAccepted() throws Exception {
    Map<String, List<String>> refused = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Repository.file("docs/examples"))) {
      files
          .filter(file -> file.toString().endsWith(".yaml"))
          .forEach(file -> problems(file).ifPresent(all -> refused.put(file.toString(), all)));
    }
    assertEquals(Map.of(), refused);
  }

  private static Optional<List<String>> problems(Path file) {
    try {
      ConfigLoader.load(Optional.of(file), Map.of(), List.of(), Map.of());
      return Optional.empty();
    } catch (ConfigException e) {
      return Optional.of(e.problems());
    }
  }
}
