package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "node: {roles: []}"
            + "| node.roles: must name at least one role: ingest, enrich, persist or broadcast",
        "node: {roles: [ingest, ingest]} | node.roles: must name each role once",
        "http: {port: 9090} | management.port: must differ from http.port, both are 9090",
        "cluster: {members: [a:1], port: 8080}"
            + "| cluster.port: must differ from http.port, both are 8080",
      })
  void refuses(String yaml, String message) {
    ConfigException refusal =
        assertThrows(ConfigException.class, () -> ConfigLoader.parse(yaml, "t.yaml"));
    assertEquals(message, refusal.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"http: {port: 0}, management: {port: 0}", "cluster: {port: 8080}"})
  void accepts(String yaml) {
    ConfigLoader.parse("{" + yaml + "}", "t.yaml");
  }
}
