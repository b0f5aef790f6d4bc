package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.yaml.ConfigException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "node: {roles: []}| node.roles: must name at least one role: ingest, enrich, persist or"
            + " broadcast (t.yaml:1)",
        "node: {roles: [persist, persist]} | node.roles: must name each role once (t.yaml:1)",
        "node: {roles: [ingest, broadcast]} | cluster.members: must name nodes that run enrich and"
            + " persist, as this one is alone and does not",
        "http: {host: 0.0.0.0} | http.host: must be a loopback address (127.0.0.1, ::1, localhost),"
            + " not '0.0.0.0', where neither ingest.token nor ingest.tokenFile is given: anyone"
            + " could send records (t.yaml:1)",
        "ingest: {tcp: {host: db.lan}} | ingest.tcp.host: must be a loopback address (127.0.0.1,"
            + " ::1, localhost), not 'db.lan', where neither ingest.token nor ingest.tokenFile is"
            + " given: anyone could send records (t.yaml:1)",
        "ingest: {mqtt: {host: '::'}} | ingest.mqtt.host: must be a loopback address (127.0.0.1,"
            + " ::1, localhost), not '::', where neither ingest.token nor ingest.tokenFile is"
            + " given: anyone could send records (t.yaml:1)",
        "ingest: {mqtt: {port: 7000}} | ingest.bridge.port: must differ from ingest.mqtt.port, both"
            + " are 7000",
        "ingest: {allowTopics: [a, b#]} | ingest.allowTopics[1]: must be a topic filter, filter"
            + " 'b#': '+' and '#' must stand alone in their level (t.yaml:1)",
        "http: {port: 9090} | management.port: must differ from http.port, both are 9090",
        "cluster: {members: [a:1], busPort: 5701}"
            + "| cluster.busPort: must differ from cluster.port, both are 5701 (t.yaml:1)",
        "cluster: {members: [a:1], port: 8080}"
            + "| cluster.port: must differ from http.port, both are 8080 (t.yaml:1)",
      })
  void refuses(String yaml, String message) {
    ConfigException refusal =
        assertThrows(ConfigException.class, () -> ConfigLoader.parse(yaml, "t.yaml"));
    assertEquals(message, refusal.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http: {port: 0}, management: {port: 0}",
        "cluster: {port: 8080}",
        "ingest: {token: secret, tcp: {host: 0.0.0.0}}, http: {host: 0.0.0.0}",
        "ingest: {tcp: {enabled: false, host: 0.0.0.0}}, http: {host: 127.1.2.3}",
        "node: {roles: [broadcast]}, cluster: {members: [a:1]}, http: {host: 0.0.0.0}",
        "node: {roles: [ingest, enrich, persist]}",
      })
  void accepts(String yaml) {
    ConfigLoader.parse("{" + yaml + "}", "t.yaml");
  }
}
