package io.galop.config;

import io.galop.yaml.ConfigException;
import java.util.List;

/**
 * A configuration as it was read.
 *
 * @param isEmpty whether there is a file that says nothing: it is empty, or has comments only
 * @param name of the file or text in messages; empty without one
 */
public record ConfigReading(GalopConfig config, boolean isEmpty, String name) {
  /**
   * The configuration, where nothing says that it was lost: a torn write, a full disk or a failed
   * template empties a file, and nobody means to start a node on defaults by that.
   *
   * @throws ConfigException if the file says nothing
   */
  public GalopConfig meant() {
    if (isEmpty) {
      throw new ConfigException(
          List.of(
              name
                  + ": is empty, or has comments only; restore it, or write {} into it if you want"
                  + " the defaults"));
    }
    return config;
  }
}
