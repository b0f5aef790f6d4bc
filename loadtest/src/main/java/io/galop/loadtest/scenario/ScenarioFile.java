package io.galop.loadtest.scenario;

import io.galop.yaml.Binder;
import io.galop.yaml.ConfigException;
import io.galop.yaml.Problems;
import io.galop.yaml.Value;
import io.galop.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads scenario files. */
public final class ScenarioFile {
  private ScenarioFile() {}

  /**
   * Reads and checks one.
   *
   * @param kinds of scenario: word in the file → record
   * @throws ConfigException which names the file, each line and each key that is wrong
   */
  public static Scenario read(Path file, Map<String, ? extends Class<? extends MeasurePlan>> kinds)
      throws IOException {
    try {
      return parse(file, Files.readString(file), kinds);
    } catch (CharacterCodingException e) {
      throw new ConfigException(List.of(file + ": is not UTF-8 text"));
    }
  }

  static Scenario parse(
      Path file, String text, Map<String, ? extends Class<? extends MeasurePlan>> kinds) {
    Problems problems = new Problems();
    Value written = Yaml.readFile(text, file.toString(), problems);
    problems.refuse();
    return new Binder(problems)
        .bind(Scenario.class, written, Map.of(MeasurePlan.class, new TreeMap<>(kinds)));
  }
}
