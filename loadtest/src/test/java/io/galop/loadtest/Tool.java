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

  public static Ended run(List<String> arguments) throws IOException, InterruptedException {
    Process process = start(List.of(), arguments);
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), text);
  }
}
