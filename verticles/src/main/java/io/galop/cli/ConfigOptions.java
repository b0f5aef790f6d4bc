package io.galop.cli;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a command's configuration comes from; a mixin for commands that need one. */
public final class ConfigOptions {
  @Option(names = "--config", paramLabel = "FILE", description = "A YAML file.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "key=value",
      description =
          "One key, overriding file and environment, as in --set http.port=8081; repeatable.")
  private List<String> sets = new ArrayList<>();

  /**
   * The configuration of the file, the environment and the options.
   *
   * @param overlay what the command wants unless the user says otherwise, by dotted path
   * @throws io.galop.yaml.ConfigException with every problem found
   */
  public GalopConfig load(Map<String, Object> overlay) {
    return ConfigLoader.load(file, System.getenv(), sets, overlay);
  }
}
