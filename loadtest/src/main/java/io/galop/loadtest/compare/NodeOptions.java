package io.galop.loadtest.compare;

import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that start Galop. */
public final class NodeOptions {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(names = "--start", required = true, paramLabel = "JAR", description = "galop.jar.")
  private Path jar;

  @Option(
      names = "--java",
      paramLabel = "PATH",
      description = "A JDK's directory or its java, for Galop. Default: the JVM of this process.")
  private @Nullable Path java;

  @Option(
      names = {"--jvm-flag", "--java-option"},
      paramLabel = "FLAG",
      description = "An option of the servers' JVMs, as in -Xmx512m; repeatable.")
  private List<String> jvmFlags = new ArrayList<>();

  @Option(
      names = "--jvm-flags",
      paramLabel = "FLAGS",
      description = "Several such options, separated by spaces.")
  private String moreFlags = "";

  @Option(
      names = "--set",
      paramLabel = "key=value",
      description = "A setting of Galop's configuration; repeatable.")
  private List<String> settings = new ArrayList<>();

  /** How to start it, once the options have been looked at. */
  public GalopLaunch galop(int nodes) {
    if (!Files.isRegularFile(jar)) {
      throw new ParameterException(
          spec.commandLine(), "--start " + jar + ": there is no such file; build it first");
    }
    List<String> flags = new ArrayList<>(jvmFlags);
    if (!moreFlags.isBlank()) {
      flags.addAll(List.of(moreFlags.trim().split("\\s+")));
    }
    return new GalopLaunch(jar, program(), flags, settings, nodes);
  }

  private Path program() {
    if (java == null) {
      return Launch.java();
    }
    Path program = Files.isDirectory(java) ? java.resolve("bin").resolve("java") : java;
    if (!Files.isExecutable(program)) {
      throw new ParameterException(
          spec.commandLine(), "--java " + java + ": neither a JDK's directory nor its java");
    }
    return program;
  }
}
