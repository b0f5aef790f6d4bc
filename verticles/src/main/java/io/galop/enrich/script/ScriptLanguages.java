package io.galop.enrich.script;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The languages that are on the class path. */
public final class ScriptLanguages {
  /** Suffix → language and what brings it, for those that Galop knows of. */
  private static final Map<String, AddOn> ADD_ONS =
      Map.of(
          ".py", new AddOn("Python", "python"),
          ".groovy", new AddOn("Groovy", "groovy"),
          ".kts", new AddOn("Kotlin", "kotlin"));

  private record AddOn(String language, String name) {}

  private ScriptLanguages() {}

  /**
   * The language of a file.
   *
   * @throws ScriptFailure saying which step makes it known
   */
  public static ScriptLanguage of(String file) throws ScriptFailure {
    for (ScriptLanguage language : Found.LANGUAGES) {
      if (file.endsWith(language.suffix())) {
        return language;
      }
    }
    throw new ScriptFailure(missing(file));
  }

  private static String missing(String file) {
    for (Map.Entry<String, AddOn> known : new TreeMap<>(ADD_ONS).entrySet()) {
      if (file.endsWith(known.getKey())) {
        return "the add-on for %s is not there: run './galop add %s', or put galop-%s.jar into the directory lib beside galop.jar"
            .formatted(
                known.getValue().language(), known.getValue().name(), known.getValue().name());
      }
    }
    return "its name must end with one of .map (mapping), .js (JavaScript), .py (Python), .groovy (Groovy), .kts (Kotlin)";
  }

  private static final class Found {
    static final List<ScriptLanguage> LANGUAGES =
        ServiceLoader.load(ScriptLanguage.class, ScriptLanguage.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
  }
}
