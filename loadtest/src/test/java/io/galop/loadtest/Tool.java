package io.galop.loadtest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the packed load test as its users do. */
public final class Tool {
  /**
   * How a command ended.
   *
   * @param text what it printed, errors too
   */
  public record Ended(int exit, String text) {}

  private Tool() {}

  /** Starts a command, errors among what it prints. */
  public static Process start(List<String> jvmFlags, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags);
    command.addAll(List.of("-Xmx256m", "-jar", System.getProperty("galop.loadtest.jar")));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** The node under test. */
  public static String galopJar() {
    return System.getProperty("galop.jar");
  }

  /** A file of the project. */
  public static String root(String file) {
    return Path.of("..", file).toAbsolutePath().normalize().toString();
  }

  /** The option that makes a node break a promise, as the tests of the node make it. */
  public static String mutant(String word, Path directory)
      throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(
            java,
            "-cp",
            root("verticles/target/test-classes"),
            "io.galop.mutants.Mutant",
            root(""),
            galopJar(),
            directory.toString(),
            word);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(text);
    }
    return text.strip();
  }

  /** Runs a command to its end. */
  public static Ended run(List<String> arguments) throws IOException, InterruptedException {
    return run(List.of(), arguments);
  }

  /** The same with flags of the Java machine. */
  public static Ended run(List<String> jvmFlags, List<String> arguments)
      throws IOException, InterruptedException {
    Process process = start(jvmFlags, arguments);
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), text);
  }
}
