package io.galop.cli;

import io.galop.config.ConfigSource;
import io.galop.config.ConfigYaml;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.yaml.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop check}: says whether a node would take a configuration. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a configuration as a node does at its start, but starts nothing.",
      "Lists every problem with its key, the rule and the allowed values."
    },
    footer = {"", "It contacts no node: run it on the machine whose environment the file is for."})
public final class CheckCommand implements Callable<Integer> {
  private final Terminal console;
  private final ConfigCheck check;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "A YAML file; default: only the environment and --set.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The same file, as 'galop run' takes it.")
  private Optional<Path> config = Optional.empty();

  @Option(names = "--set", paramLabel = "key=value", description = "One key; repeatable.")
  private List<String> sets = new ArrayList<>();

  @Option(
      names = "--show",
      description = "Print the effective configuration with defaults and masked secrets.")
  private boolean show;

  public CheckCommand(Terminal console, ConfigCheck check) {
    this.console = console;
    this.check = check;
  }

  @Override
  public Integer call() {
    GalopConfig loaded = new ConfigSource(file(), System.getenv(), sets, Map.of()).load();
    List<String> problems = check.problems(loaded);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    if (show) {
      console.out().print(ConfigYaml.print(loaded));
      console.out().flush();
    } else {
      console.line("OK: " + summary(loaded));
    }
    return 0;
  }

  private Optional<Path> file() {
    if (file.isPresent() && config.isPresent()) {
      throw CliFailure.usage("check takes one file: FILE or --config FILE, not both");
    }
    return file.or(() -> config);
  }

  private static String summary(GalopConfig config) {
    String roles = config.roles().stream().map(Role::word).collect(Collectors.joining(", "));
    String cluster =
        config.cluster().isClustered()
            ? "joins " + String.join(", ", config.cluster().members())
            : "alone";
    return "roles %s; %s; browsers at %s:%d"
        .formatted(roles, cluster, config.http().host(), config.http().port());
  }
}
