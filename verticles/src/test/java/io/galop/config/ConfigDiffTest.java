package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.yaml.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConfigDiffTest {
  private static GalopConfig parse(String yaml) {
    return ConfigLoader.parse(yaml, "test.yaml");
  }

  @Test
  void theSameFileReadTwiceDiffersInNothing() throws Exception {
    try (Stream<Path> examples = Files.list(Path.of("../docs/examples"))) {
      for (Path file : examples.filter(each -> each.toString().endsWith(".yaml")).toList()) {
        GalopConfig first = ConfigLoader.load(Optional.of(file), Map.of(), List.of(), Map.of());
        GalopConfig second = ConfigLoader.load(Optional.of(file), Map.of(), List.of(), Map.of());
        assertEquals(List.of(), ConfigDiff.between(first, second), file.toString());
      }
    }
  }

  @Test
  void namesPathsAndValuesButNoSecrets() {
    GalopConfig before = parse("ingest: {token: one-long-secret}\nhttp: {port: 1}\n");
    GalopConfig after =
        parse("ingest: {token: two-long-secret}\nhttp: {port: 2}\nenrich: {chain: [noop]}\n");
    List<ConfigDiff> found = ConfigDiff.between(before, after);
    assertEquals(
        List.of("enrich.chain", "http.port", "ingest.token"),
        found.stream().map(ConfigDiff::path).sorted().toList());
    assertTrue(found.contains(new ConfigDiff("http.port", "1", "2")), found.toString());
    assertTrue(found.stream().noneMatch(each -> each.toString().contains("long-secret")));
  }

  @Test
  void takesWhatIsTakenAndKeepsTheRest() {
    GalopConfig before = parse("http: {port: 1}\n");
    GalopConfig after = parse("http: {port: 2}\nenrich: {chain: [noop]}\n");
    GalopConfig merged = ConfigDiff.merged(before, after, path -> path.equals("enrich.chain"));
    assertEquals(1, merged.http().port());
    assertEquals(after.enrich().chain(), merged.enrich().chain());
    assertEquals(
        List.of("http.port"),
        ConfigDiff.between(merged, after).stream().map(ConfigDiff::path).toList());
  }

  @Test
  void aMixtureThatBreaksARuleIsRefused() {
    GalopConfig before = parse("");
    GalopConfig after =
        parse("persist: {log: {retentionBytes: 9000000000, quotaBytes: 20000000000}}\n");
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () -> ConfigDiff.merged(before, after, path -> path.endsWith("retentionBytes")));
    assertTrue(refused.getMessage().contains("persist.log"), refused.getMessage());
    assertTrue(refused.getMessage().contains("quotaBytes"), refused.getMessage());
  }
}
