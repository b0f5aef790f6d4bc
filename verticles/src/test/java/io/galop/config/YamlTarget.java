package io.galop.config;

import io.galop.fuzz.Target;
import io.galop.yaml.ConfigException;
import java.nio.charset.StandardCharsets;

/** Configurations. */
public final class YamlTarget implements Target {
  @Override
  public void run(byte[] input) {
    try {
      ConfigLoader.parse(new String(input, StandardCharsets.UTF_8), "galop.yaml");
    } catch (ConfigException expected) {
      if (expected.getMessage().isBlank()) {
        throw new AssertionError("it does not say what is wrong", expected);
      }
    }
  }
}
