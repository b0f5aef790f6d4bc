package io.galop.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What stands where standard input is closed. */
class StandardInputTest {
  private static final Path JDK = Path.of("/opt/jdk");

  private static boolean isOfJava(String file) {
    return StandardInput.isOfJava(
        Path.of(file), Set.of(Path.of("/srv/galop.jar")), JDK.resolve("lib"));
  }

  @Test
  void whatJavaOpensByItselfIsNoInput() {
    assertTrue(isOfJava("/srv/galop.jar"));
    assertTrue(isOfJava("/opt/jdk/lib/modules"));
    assertTrue(isOfJava("/srv/archive/galop-1-2.jsa"));
    assertFalse(isOfJava("/srv/records.ndjson"));
    assertFalse(isOfJava("/opt/jdk/records.ndjson"));
    assertFalse(isOfJava("/dev/null"));
    assertFalse(isOfJava("pipe:[4711]"));
  }
}
