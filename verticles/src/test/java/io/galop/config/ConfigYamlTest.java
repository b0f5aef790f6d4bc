package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ConfigYamlTest {
  @Test
  void whatIsPrintedMeansTheSame() {
    GalopConfig config =
        ConfigLoader.parse(
            "{node: {roles: [broadcast], name: 'a: b'}, cluster: {members: [x:1]}}", "t.yaml");
    assertEquals(config, ConfigLoader.parse(ConfigYaml.print(config), "printed.yaml"));
  }

  @Test
  void masksSecretsThatAreGiven() {
    GalopConfig config = ConfigLoader.parse("ingest: {token: hush}", "t.yaml");
    String printed = ConfigYaml.print(config);
    assertTrue(printed.contains("token: '********'"), printed);
    assertFalse(printed.contains("hush"));
  }

  @Test
  void printsBlocks() {
    assertTrue(
        ConfigYaml.print(ConfigLoader.defaults())
            .contains("management:\n  host: 127.0.0.1\n  port: 9090\n"));
  }
}
