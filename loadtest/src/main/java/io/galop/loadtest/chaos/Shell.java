package io.galop.loadtest.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs small programs of the system. */
final class Shell {
  private Shell() {}

  /** Runs one and returns its output. */
  static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + text.strip());
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted at " + String.join(" ", command), e);
    }
    return text;
  }

  /** Runs one whose arguments have no spaces. */
  static String run(String command) throws IOException {
    return run(List.of(command.split(" ")));
  }
}
