package io.galop.enrich.script;

import io.galop.config.ConfigLoader;
import io.galop.config.enrich.ScriptConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Script steps for tests. */
final class Scripts {
  private Scripts() {}

  static ScriptConfig config(String file, Map<String, String> settings) {
    return config(file, settings, 1_000_000, 5_000);
  }

  static ScriptConfig config(
      String file, Map<String, String> settings, long maxStatements, long timeLimitMs) {
    Map<String, Object> keys =
        Map.of(
            "file", file,
            "settings", settings,
            "maxStatements", maxStatements,
            "timeLimitMs", timeLimitMs);
    Map<String, Object> chain = Map.of("enrich.chain", List.of(Map.of("script", keys)));
    return (ScriptConfig)
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(), chain).enrich().chain().get(0);
  }
}
