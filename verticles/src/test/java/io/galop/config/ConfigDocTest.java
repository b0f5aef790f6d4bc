package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
            + " mvn -q -pl verticles test -Dtest=ConfigDocTest -Dgalop.update.docs=true");
  }

  @Test
  void everyKeyIsExplained() {
    List<String> unexplained =
        ConfigDoc.markdown()
            .lines()
            .filter(line -> line.startsWith("| `") && line.endsWith("|  |"))
            .toList();
    assertEquals(List.of(), unexplained);
    assertFalse(ConfigDoc.markdown().contains("\n\n\n"), "a section or brick is not explained");
  }

  @Test
  void namesTheVariableOfAKey() {
    assertEquals(
        "| `maxDataBytes`<br>`GALOP_INGEST_LIMITS_MAX_DATA_BYTES` | 16 to 16777216 | `65536` |"
            + " Largest data of a record. |",
        ConfigDoc.markdown()
            .lines()
            .filter(l -> l.startsWith("| `maxDataBytes`"))
            .findFirst()
            .get());
    assertFalse(ConfigDoc.markdown().contains("null"));
  }
}
