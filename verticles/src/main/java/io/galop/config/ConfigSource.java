package io.galop.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a node's configuration comes from, so that it can be read again: {@link ConfigLoader} says
 * what each means.
 */
public record ConfigSource(
    Optional<Path> file,
    Map<String, String> environment,
    List<String> sets,
    Map<String, Object> overlay) {
  public ConfigSource {
    environment = Map.copyOf(environment);
    sets = List.copyOf(sets);
    overlay = Map.copyOf(overlay);
  }

  /**
   * Reads all of it.
   *
   * @throws io.galop.yaml.ConfigException with every problem found, or if its file says nothing
   */
  public GalopConfig load() {
    return read().meant();
  }

  /**
   * The same, and whether its file says anything.
   *
   * @throws io.galop.yaml.ConfigException with every problem found
   */
  public ConfigReading read() {
    return ConfigLoader.read(this);
  }

  /**
   * The same as {@link #read()} with another text for the file.
   *
   * @param name of the text in messages
   * @throws io.galop.yaml.ConfigException with every problem found
   */
  public ConfigReading read(String yaml, String name) {
    return ConfigLoader.read(yaml, name, this);
  }
}
