package io.galop.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every mutant fits today's sources, without a packed jar. */
class MutantTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void compilesWithTodaysSources(Mutant mutant) throws Exception {
    String product = System.getProperty("java.class.path");
    String option = mutant.option(Path.of(".."), product, directory);
    Path jar = Path.of(option.substring("-javaagent:".length()));
    assertFalse(Files.size(jar) == 0);
    assertEquals(mutant, Mutant.of(mutant.word()));
  }
}
