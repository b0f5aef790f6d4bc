package io.galop.ingest.publisher;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Real clients, as they are called from a shell. */
final class Curl {
  private Curl() {}

  /** Sends a body, each argument one of curl's; head and body of the answer. */
  static String post(String body, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("curl", "-sS", "-i", "-m", "30"));
    all.addAll(List.of("--data-binary", "@-", "-H", "Content-Type: application/x-ndjson"));
    all.addAll(List.of(arguments));
    return run(body, all.toArray(String[]::new));
  }

  /** What a command says, and with which code it ends. */
  static String run(String input, String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("still running: " + List.of(command));
    }
    return said + "exit " + process.exitValue();
  }
}
