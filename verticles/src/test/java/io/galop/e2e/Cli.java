package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** A command of the packed jar, run to its end. */
final class Cli {
  /** What a command left behind. */
  record Ended(int code, String text) {}

  private Cli() {}

  static Ended run(String... args) throws InterruptedException {
    try (GalopProcess process = GalopProcess.start(List.of(), List.of(args))) {
      int code = process.awaitExit(120);
      return new Ended(code, process.text());
    }
  }

  /** Runs a command that must succeed. */
  static String ok(String... args) throws InterruptedException {
    Ended ended = run(args);
    assertEquals(0, ended.code(), ended.text());
    return ended.text();
  }
}
