package io.galop.config;

import io.galop.yaml.Binder;
import io.galop.yaml.Merge;
import io.galop.yaml.Problems;
import io.galop.yaml.Sets;
import io.galop.yaml.Slot;
import io.galop.yaml.Value;
import io.galop.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the configuration. Each source overrides the ones before it: the defaults, the command's
 * own overlay, the YAML file, the environment variables, {@code --set}.
 */
public final class ConfigLoader {
  private ConfigLoader() {}

  /** The configuration of a node that was given none. */
  public static GalopConfig defaults() {
    return load(Optional.empty(), Map.of(), List.of(), Map.of());
  }

  /**
   * Reads and checks everything before anything starts.
   *
   * @param file the YAML file
   * @param environment all variables; those that begin with {@code GALOP_} are read
   * @param sets {@code key=value}, the key a dotted path, the value a YAML scalar or flow
   *     collection
   * @param overlay what the command itself wants unless the user says otherwise, by dotted path:
   *     texts, numbers, booleans, enum constants, lists, maps
   * @throws io.galop.yaml.ConfigException with every problem found; those of the YAML itself alone,
   *     as the rest cannot be judged before; or if the file says nothing
   */
  public static GalopConfig load(
      Optional<Path> file,
      Map<String, String> environment,
      List<String> sets,
      Map<String, Object> overlay) {
    return new ConfigSource(file, environment, sets, overlay).load();
  }

  /** What a source says. */
  static ConfigReading read(ConfigSource source) {
    Problems problems = new Problems();
    Optional<Path> file = source.file();
    Value written = file.map(path -> read(path, problems)).orElse(Value.nothing(""));
    String name = file.map(Path::toString).orElse("");
    return read(written, name, source, problems);
  }

  /** What a source says with another text in the place of its file. */
  static ConfigReading read(String yaml, String name, ConfigSource source) {
    Problems problems = new Problems();
    return read(Yaml.readFile(yaml, name, problems), name, source, problems);
  }

  private static ConfigReading read(
      Value written, String name, ConfigSource source, Problems problems) {
    Map<String, Object> wanted = beside(source.file(), source.overlay());
    GalopConfig config = load(written, source.environment(), source.sets(), wanted, problems);
    boolean isNothing = written instanceof Value.Scalar scalar && scalar.isNothing();
    return new ConfigReading(config, isNothing && !name.isEmpty(), name);
  }

  private static Map<String, Object> beside(Optional<Path> file, Map<String, Object> overlay) {
    Map<String, Object> wanted = new LinkedHashMap<>();
    file.map(Path::getParent)
        .ifPresent(directory -> wanted.put("enrich.directory", directory.toString()));
    wanted.putAll(overlay);
    return wanted;
  }

  /**
   * Reads a configuration out of a text, over the defaults.
   *
   * @throws io.galop.yaml.ConfigException with every problem found; lines are those of {@code name}
   */
  public static GalopConfig parse(String yaml, String name) {
    Problems problems = new Problems();
    Value written = Yaml.readFile(yaml, name, problems);
    return load(written, Map.of(), List.of(), Map.of(), problems);
  }

  private static GalopConfig load(
      Value written,
      Map<String, String> environment,
      List<String> sets,
      Map<String, Object> overlay,
      Problems problems) {
    problems.refuse();
    List<Value> layers = new ArrayList<>();
    overlay.forEach(
        (path, value) -> layers.add(Value.Mapping.at(path, Value.of(value, "the command"))));
    layers.add(written);
    layers.addAll(Variables.read(environment, problems));
    layers.addAll(Sets.read(sets, problems));
    Value merged = Merge.layers(Slot.root(GalopConfig.class), layers);
    GalopConfig config = new Binder(problems).bind(GalopConfig.class, merged);
    ConfigRules.check(config, (path, rule) -> problems.add(path, rule, merged.originOf(path)));
    problems.refuse();
    return config;
  }

  private static Value read(Path path, Problems problems) {
    String name = String.valueOf(path.getFileName());
    try {
      return Yaml.readFile(Files.readString(path), name, problems);
    } catch (NoSuchFileException e) {
      problems.add("", path + ": there is no such file", "");
    } catch (CharacterCodingException e) {
      problems.add("", path + ": is not UTF-8", "");
    } catch (IOException e) {
      String why = Files.isDirectory(path) ? "it is a directory" : FileFault.of(e);
      problems.add("", path + ": cannot be read: " + why, "");
    }
    return Value.nothing("");
  }
}
