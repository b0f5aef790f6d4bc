package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.yaml.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The example files that the documentation offers can be started with. */
class ValidateExamplesTest {
  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml ?(\\S*)\\n(.*?)^```$");
  @TempDir Path directory;

  @Test
  void everyExampleIsAccepted() throws Exception {
    Map<String, List<String>> refused = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Repository.file("docs/examples"))) {
      files
          .filter(file -> file.toString().endsWith(".yaml"))
          .forEach(
              file ->
                  problems(Optional.of(file), Map.of())
                      .ifPresent(all -> refused.put(file.toString(), all)));
    }
    assertEquals(Map.of(), refused);
  }

  @Test
  void everyConfigurationInTheDocumentsIsAccepted() throws Exception {
    Map<String, List<String>> refused = new TreeMap<>();
    int seen = 0;
    try (Stream<Path> files = Files.list(Repository.file("docs"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).toList()) {
        for (MatchResult block : YAML.matcher(Files.readString(file)).results().toList()) {
          String name = block.group(1);
          if (!name.endsWith(".cases.yaml") && !name.endsWith(".map")) {
            Path written = Files.writeString(directory.resolve(++seen + ".yaml"), block.group(2));
            problems(Optional.of(written), Map.of("DB_PASSWORD", "a password"))
                .ifPresent(all -> refused.put(file + ": " + block.group(2), all));
          }
        }
      }
    }
    assertEquals(Map.of(), refused);
    assertTrue(seen >= 3, "the documents have lost their examples");
  }

  @Test
  void everyServiceOfTheComposeFileIsAccepted() throws Exception {
    Object compose =
        new Load(LoadSettings.builder().build())
            .loadFromString(Files.readString(Repository.file("docker/compose.yml")));
    Map<String, List<String>> refused = new TreeMap<>();
    Set<String> nodes = new TreeSet<>();
    Map<?, ?> services = (Map<?, ?>) ((Map<?, ?>) compose).get("services");
    services.forEach(
        (name, service) -> {
          Map<String, String> variables = variables(((Map<?, ?>) service).get("environment"));
          if (variables.containsKey("GALOP_NODE_ROLES")) {
            nodes.add(name.toString());
            problems(Optional.empty(), variables).ifPresent(all -> refused.put("" + name, all));
          }
        });
    assertEquals(Map.of(), refused);
    assertEquals(Set.of("secure-1", "secure-2", "front-1", "front-2"), nodes);
  }

  /** The variables of a service; compose merges the map under the key {@code <<} itself. */
  private static Map<String, String> variables(Object environment) {
    Map<String, String> variables = new TreeMap<>();
    if (environment instanceof Map<?, ?> map) {
      variables.putAll(variables(map.get("<<")));
      map.forEach((name, value) -> variables.put(name.toString(), value.toString()));
      variables.remove("<<");
    }
    return variables;
  }

  private static Optional<List<String>> problems(
      Optional<Path> file, Map<String, String> environment) {
    try {
      ConfigLoader.load(file, environment, List.of(), Map.of());
      return Optional.empty();
    } catch (ConfigException e) {
      return Optional.of(e.problems());
    }
  }
}
