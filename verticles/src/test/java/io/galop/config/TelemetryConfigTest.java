package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which headers a collector may be sent, and that nobody is shown their values. */
class TelemetryConfigTest {
  @TempDir private Path directory;

  private static GalopConfig with(String headers) {
    return ConfigLoader.parse("telemetry: {headers: [" + headers + "]}", "t.yaml");
  }

  private static String refusal(String headers) {
    ConfigException refused = assertThrows(ConfigException.class, () -> with(headers));
    assertFalse(refused.getMessage().contains("hush"), refused.getMessage());
    return refused.getMessage();
  }

  private String unread(String value) throws IOException {
    Path file = Files.writeString(directory.resolve("key"), value);
    TelemetryConfig config =
        with("{name: K, value: v}, {name: X, valueFile: " + file + "}").telemetry();
    IOException refused = assertThrows(IOException.class, config::readHeaders);
    assertFalse(refused.toString().contains("hush"), refused.toString());
    return refused.getMessage();
  }

  @Test
  void theirValuesAreRead() throws IOException {
    Path file = Files.writeString(directory.resolve("key"), "from a file\n");
    assertEquals(
        Map.of("Authorization", "Bearer hush", "X-Key", "from a file"),
        with("{name: Authorization, value: Bearer hush}, {name: X-Key, valueFile: " + file + "}")
            .telemetry()
            .readHeaders());
    assertEquals(Map.of(), ConfigLoader.defaults().telemetry().readHeaders());
  }

  @Test
  void noneThatTheNodeSetsAndNoneTwice() {
    String host = refusal("{name: HOST, value: hush}");
    assertTrue(host.contains("telemetry.headers: must not name HOST"), host);
    String twice = refusal("{name: X-Key, value: hush}, {name: x-key, value: hush}");
    assertTrue(twice.contains("telemetry.headers: must name x-key only once"), twice);
    String name = refusal("{name: 'X Key', value: hush}");
    assertTrue(name.contains("telemetry.headers[0]"), name);
  }

  @Test
  void whatCannotBeAValueIsRefusedByItsPlace() throws IOException {
    String control = unread("hush\u0001");
    assertTrue(control.startsWith("telemetry.headers[1]: "), control);
    assertTrue(control.contains("control character"), control);
    String wide = unread("hush\u20ac");
    assertEquals("telemetry.headers[1]: the value must be of ASCII characters only", wide);
  }

  @Test
  void nobodyIsShownThem() {
    GalopConfig config = with("{name: Authorization, value: hush}");
    assertFalse(ConfigYaml.print(config).contains("hush"));
    assertTrue(ConfigYaml.print(config).contains("name: Authorization"));
    assertFalse(config.toString().contains("hush"), config.toString());
    String changes = ConfigDiff.between(ConfigLoader.defaults(), config).toString();
    assertTrue(changes.contains("telemetry.headers"), changes);
    assertFalse(changes.contains("hush"), changes);
  }
}
