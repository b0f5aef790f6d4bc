package io.galop.cli;

import io.galop.Cli;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Runs commands with streams in memory. */
public final class TestConsole {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Terminal console;

  public TestConsole() {
    this("");
  }

  public TestConsole(String input) {
    console =
        new Terminal(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false);
  }

  /** What to give to commands. */
  public Terminal console() {
    return console;
  }

  /** Runs a command to its end; the exit code. */
  public int run(String... args) {
    return Cli.commandLine(console, config -> List.of()).execute(args);
  }

  /** The same with commands of other packages. */
  public int runWith(Function<Terminal, Object[]> more, String... args) {
    return Cli.commandLine(console, config -> List.of(), more.apply(console)).execute(args);
  }

  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  public List<String> outLines() {
    return out().lines().toList();
  }

  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
