package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CasesTextTest {
  private static ScriptCase read(String settings) {
    String text =
        """
        cases:
          - inputs: [{topic: a, timeUs: 1, data: '{}'}]
            outputs: []
            settings: %s
        """;
    return ScriptCases.read("s.cases.yaml", text.formatted(settings)).get(0);
  }

  @Test
  void settingsAreTexts() {
    assertEquals(Map.of("a", "1", "2", "b"), read("{a: 1, 2: b}").settings());
  }

  @Test
  void aSettingWithoutANameIsRefused() {
    String said =
        assertThrows(IllegalArgumentException.class, () -> read("{null: b}")).getMessage();
    assertTrue(said.contains("settings must have a name for each value"), said);
  }
}
