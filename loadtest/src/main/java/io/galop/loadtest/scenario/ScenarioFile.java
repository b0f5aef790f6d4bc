package io.galop.loadtest.scenario;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads scenario files. */
public final class ScenarioFile {
  private ScenarioFile() {}

  /**
   * Reads and checks one.
   *
   * @param kinds of scenario: word in the file → record
   * @throws ScenarioException which names the file, each line and each key that is wrong
   */
  public static Scenario read(Path file, Map<String, ? extends Class<? extends MeasurePlan>> kinds)
      throws IOException, ScenarioException {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw new ScenarioException(List.of(file + ": is not UTF-8 text"));
    }
    return parse(file, text, kinds);
  }

  static Scenario parse(
      Path file, String text, Map<String, ? extends Class<? extends MeasurePlan>> kinds)
      throws ScenarioException {
    Problems problems = new Problems(file);
    Scenario scenario = null;
    try {
      Optional<Node> root = composer().composeString(text);
      if (root.isEmpty()) {
        problems.add("is empty");
      } else {
        scenario = new Binder(problems, kinds).bind(root.get(), "", Scenario.class);
      }
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      problems.add("line " + line + ": is not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      problems.add("is not YAML: " + e.getMessage());
    }
    problems.throwIfAny();
    return scenario;
  }

  static Node compose(String text) {
    return composer().composeString(text.isEmpty() ? "''" : text).orElseThrow();
  }

  private static Compose composer() {
    return new Compose(LoadSettings.builder().build());
  }
}
