package io.galop.enrich.script;

import io.galop.config.ScriptConfig;
import java.util.List;
import java.util.Map;

/** Script steps for tests. */
final class Scripts {
  private Scripts() {}

  static ScriptConfig config(String file, Map<String, String> settings) {
    return config(file, settings, 1_000_000, 5_000);
  }

  static ScriptConfig config(
      String file, Map<String, String> settings, long maxStatements, long timeLimitMs) {
    return new ScriptConfig(List.of("#"), file, settings, maxStatements, timeLimitMs, 1000, 65_536);
  }
}
