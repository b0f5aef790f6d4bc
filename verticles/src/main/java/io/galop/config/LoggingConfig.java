package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What the log says. */
public record LoggingConfig(
    @Doc(
            "The least level of the lines of a class, or of all of a package, by its name; root: of "
                + "all others. Comes before the GALOP_LOG_ variables.")
        @Default("{}")
        Map<String, Level> levels) {
  private static final String NAME = "[A-Za-z0-9_$]+(\\.[A-Za-z0-9_$]+)*";

  /** The levels, each of which has the lines of those before it. */
  public enum Level {
    OFF,
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  public LoggingConfig {
    levels = Collections.unmodifiableMap(new TreeMap<>(levels));
    for (String name : levels.keySet()) {
      if (!name.matches(NAME)) {
        throw new IllegalArgumentException(
            "levels must name classes or packages, as io.galop.persist, not '" + name + "'");
      }
    }
  }

  /** Says nothing of any of them. */
  public static LoggingConfig none() {
    return new LoggingConfig(Map.of());
  }
}
