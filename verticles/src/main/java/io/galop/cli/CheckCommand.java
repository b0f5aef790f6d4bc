package io.galop.cli;

import io.galop.config.ConfigLoader;
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
    GalopConfig config = ConfigLoader.load(file, System.getenv(), sets, Map.of());
    List<String> problems = check.problems(config);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    if (show) {
      console.out().print(ConfigYaml.print(config));
      console.out().flush();
    } else {
      console.line("OK: " + summary(config));
    }
    return 0;
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
