package io.galop.loadtest;

import io.galop.loadtest.report.Limit;
import io.galop.loadtest.report.Limits;
import io.galop.loadtest.report.RunReport;
import io.galop.loadtest.run.Bench;
import io.galop.loadtest.run.Findings;
import io.galop.loadtest.run.Measure;
import io.galop.loadtest.run.RunOptions;
import io.galop.loadtest.run.RunProgress;
import io.galop.loadtest.scenario.Scenario;
import io.galop.loadtest.scenario.ScenarioFile;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a scenario file. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Runs a scenario file and writes report.html, report.svg and report.json.",
    footer = {
      "",
      "Exit code 1 if the goal was not met or a limit of --fail-if was crossed, 2 if the file has"
          + " a",
      "mistake."
    })
public final class RunScenarioCommand implements Callable<Integer> {
  private static final int WRONG_USAGE = 2;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private final RunOptions options = new RunOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(paramLabel = "SCENARIO", description = "A file, as in loadtest/scenarios/knee.yaml.")
  private Path file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The report's directory. Default: the scenario's name.")
  private @Nullable Path out;

  @Option(
      names = "--fail-if",
      converter = Limit.Reader.class,
      paramLabel = "'name>value'",
      description =
          "A figure of report.json that must not be above (>) or below (<) a value; repeatable.")
  private List<Limit> limits = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Scenario scenario;
    try {
      scenario = read();
    } catch (ConfigException e) {
      System.err.println(e.getMessage());
      return WRONG_USAGE;
    }
    if (scenario.measure().needsStart() && options.start() == null) {
      throw new ParameterException(
          spec.commandLine(), file + " needs --start: it compares several that it starts itself");
    }
    RunProgress progress = new RunProgress();
    Bench bench =
        new Bench(scenario, options.start(), options.running(), options.shorten(), progress);
    Findings findings;
    try {
      findings = ((Measure) scenario.measure()).run(bench);
    } finally {
      progress.end();
    }
    Path directory = out == null ? Path.of(scenario.name()) : out;
    new RunReport(scenario, findings).write(directory);
    findings.sentences().forEach(System.out::println);
    System.out.println("report: " + directory.resolve(RunReport.HTML));
    boolean crossed = Limits.report(limits, findings.figures());
    return findings.isComplete() && !crossed ? 0 : 1;
  }

  private Scenario read() throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ParameterException(spec.commandLine(), file + ": there is no such file");
    }
    return ScenarioFile.read(file, Measures.ALL);
  }
}
