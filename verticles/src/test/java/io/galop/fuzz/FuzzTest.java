package io.galop.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What takes bytes of strangers: the kept inputs, and less than a minute of new ones. */
@Tag("slow")
@Timeout(900)
class FuzzTest {
  private static final int SECONDS = Integer.getInteger("galop.fuzz.seconds", 40);

  /** The same each time: a test that fails by chance says nothing about a change. ./fuzz seeks. */
  private static final int SEED = 1;

  static Stream<String> targets() {
    return Targets.ALL.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("targets")
  void nothingComesOfTheKeptInputs(String name) throws Exception {
    List<Path> seeds = FuzzRun.seeds(name);
    assertFalse(seeds.isEmpty(), "no inputs in src/test/fuzz/" + name);
    try (Target target = Targets.open(name)) {
      for (Path seed : seeds) {
        try {
          target.run(Files.readAllBytes(seed));
        } catch (Exception | AssertionError e) {
          throw new AssertionError(seed + ": " + e.getMessage(), e);
        }
      }
    }
  }

  @Test
  void nothingIsFoundInSoShortATime() throws Exception {
    assertEquals("", FuzzRun.run("", SECONDS, SEED));
  }
}
