package io.galop.enrich.script;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.enrich.ScriptConfig;
import io.galop.guest.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A script that a command was given: a file, or the name of one that comes with Galop.
 *
 * @param directory where it is looked for first
 * @param file its name there
 */
public record ScriptPlace(String directory, String file) {
  private static final int TIME_LIMIT_MS = 10_000;

  /** Where a script is that a user named. */
  public static ScriptPlace of(Path given) {
    Path name = given.getFileName();
    if (name == null || !Files.isRegularFile(given)) {
      return new ScriptPlace(".", given.toString());
    }
    Path parent = given.toAbsolutePath().getParent();
    return new ScriptPlace(String.valueOf(parent), name.toString());
  }

  /**
   * Loads the script as a node without any configuration would, but that a call may take ten
   * seconds: where a command is all that runs, each call may be the first of its kind.
   *
   * @throws IllegalArgumentException saying what is wrong with the script, where, and what to do
   */
  public Script open(Map<String, String> settings) {
    Map<String, Object> step =
        Map.of("script", Map.of("file", file, "settings", settings, "timeLimitMs", TIME_LIMIT_MS));
    GalopConfig config =
        ConfigLoader.load(
            Optional.empty(), Map.of(), List.of(), Map.of("enrich.chain", List.of(step)));
    ScriptConfig script = (ScriptConfig) config.enrich().chain().get(0);
    TopicStates states = new TopicStates(TopicStates.Bounds.of(script), () -> {});
    return Script.open(script, directory, config.ingest().limits().maxTopicBytes(), states);
  }

  /** What the file with the cases is called: it stands beside the script. */
  public String casesFile() {
    int dot = file.lastIndexOf('.');
    return (dot > 0 ? file.substring(0, dot) : file) + ".cases.yaml";
  }

  /** The cases as written; empty if there is no such file. */
  public Optional<String> cases() throws IOException {
    Path beside = Path.of(directory).resolve(casesFile());
    if (Files.isRegularFile(beside)) {
      return Optional.of(Files.readString(beside));
    }
    if (Files.isRegularFile(Path.of(directory).resolve(file))) {
      return Optional.empty();
    }
    return SourceFile.packed(casesFile());
  }
}
