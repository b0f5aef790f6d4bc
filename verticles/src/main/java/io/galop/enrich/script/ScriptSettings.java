package io.galop.enrich.script;

import io.galop.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a script as its init is given them: numbers, true and false as such, all else as
 * text.
 */
final class ScriptSettings {
  private static final Pattern PLAIN = Pattern.compile("-?(0|[1-9]\\d{0,14})(\\.\\d+)?|true|false");

  private ScriptSettings() {}

  static Map<String, @Nullable Object> read(Map<String, String> settings, JsonNodes nodes)
      throws ScriptFailure {
    String json =
        settings.entrySet().stream()
            .map(entry -> JsonString.quoted(entry.getKey()) + ':' + value(entry.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
    return PlainJson.read(json.getBytes(StandardCharsets.UTF_8), nodes);
  }

  private static String value(String text) {
    return PLAIN.matcher(text).matches() ? text : JsonString.quoted(text);
  }
}
