package io.galop.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a command reads and writes: results on {@code out}, everything else on {@code err}.
 *
 * @param terminal whether {@code err} is a terminal, on which progress is shown
 */
public record Terminal(InputStream in, PrintStream out, PrintStream err, boolean terminal) {
  /** Moves a terminal to the beginning of its line and clears it. */
  public static final String CLEAR_LINE = "\r\u001b[K";

  /** The streams of this process: what Galop writes is UTF-8, whatever the locale. */
  public static Terminal ofProcess() {
    return new Terminal(
        StandardInput.ofProcess(),
        new PrintStream(System.out, false, StandardCharsets.UTF_8),
        new PrintStream(System.err, true, StandardCharsets.UTF_8),
        errIsTerminal());
  }

  /**
   * Whether what a user sees of standard error is a terminal. Java can tell only for standard input
   * and output; where the kernel lists open files, it knows.
   */
  private static boolean errIsTerminal() {
    Path err = Path.of("/proc/self/fd/2");
    try {
      return Files.isSymbolicLink(err)
          ? Files.readSymbolicLink(err).toString().matches("/dev/(pts/.*|tty.*|console)")
          : System.console() != null;
    } catch (java.io.IOException e) {
      return false;
    }
  }

  /** Prints one line of result. Ends the command if nobody reads any more, as after a pipe. */
  public void line(String text) {
    out.println(text);
    if (out.checkError()) {
      throw CliFailure.failed("standard output was closed");
    }
  }

  /** Tells the user something that is no result, in place of what a progress bar has drawn. */
  public void say(String text) {
    err.println((terminal ? CLEAR_LINE : "") + text);
  }
}
