package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ConfigDocTest {
  private static final Path COMMITTED = Repository.file("docs/configuration.md");

  @Test
  void theCommittedDocumentIsCurrent() throws Exception {
    if (Boolean.getBoolean("galop.update.docs")) {
      Files.writeString(COMMITTED, ConfigDoc.markdown());
    }
    assertEquals(
        ConfigDoc.markdown(),
        Files.readString(COMMITTED),
        "docs/configuration.md is not what the records say; regenerate it with"
            + " mvn -q -pl verticles -am test -Dtest=ConfigDocTest -Dgalop.update.docs=true");
  }

  @Test
  void everyKeyIsExplained() {
    List<String> unexplained =
        ConfigDoc.markdown()
            .lines()
            .filter(line -> line.startsWith("* ") && line.endsWith(": "))
            .toList();
    assertEquals(List.of(), unexplained);
    assertFalse(ConfigDoc.markdown().contains("\n\n\n"), "a section or brick is not explained");
  }

  @Test
  void writesTheValuesTheDefaultAndTheMeaningOfAKey() {
    assertEquals(
        "* **`maxDataBytes`** (16–16777216; `65536`): Largest data of a record.",
        ConfigDoc.markdown()
            .lines()
            .filter(l -> l.startsWith("* **`maxDataBytes`"))
            .findFirst()
            .get());
    assertFalse(ConfigDoc.markdown().contains("null"));
  }

  /** The introduction says how the variable of a key is spelled. */
  @Test
  void theVariableOfAKeyIsSpelledAsDescribed() {
    String spelled = "GALOP_INGEST_LIMITS_MAX_DATA_BYTES";
    assertTrue(ConfigDoc.markdown().contains("`" + spelled + "`"));
    Variables.paths()
        .forEach((name, path) -> assertEquals(name, spell(path), "the variable of " + path));
    assertEquals("ingest.limits.maxDataBytes", Variables.paths().get(spelled));
  }

  private static String spell(String path) {
    String words = path.replace('.', '_').replaceAll("([a-z])([A-Z])", "$1_$2");
    return "GALOP_" + words.toUpperCase(Locale.ROOT);
  }
}
