package io.galop.cli;

import java.io.File;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

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
        standardInput(),
        new PrintStream(System.out, false, StandardCharsets.UTF_8),
        new PrintStream(System.err, true, StandardCharsets.UTF_8),
        errIsTerminal());
  }

  /** Where it is closed, the first file that Java opens takes its number and would be read. */
  private static InputStream standardInput() {
    Path in = Path.of("/proc/self/fd/0");
    try {
      boolean isOther =
          Files.isSymbolicLink(in)
              && isOfJava(
                  Files.readSymbolicLink(in),
                  real(System.getProperty("java.class.path").split(File.pathSeparator)),
                  Path.of(System.getProperty("java.home"), "lib").toRealPath());
      return isOther ? new ClosedInput() : System.in;
    } catch (java.io.IOException e) {
      return System.in;
    }
  }

  /** Whether a process of Java has opened a file by itself: of the JDK, its jar, its archive. */
  static boolean isOfJava(Path file, Set<Path> classPath, Path libraries) {
    return file.startsWith(libraries)
        || file.toString().endsWith(".jsa")
        || classPath.contains(file);
  }

  /** As the kernel names them: the way to a file may go over symbolic links. */
  private static Set<Path> real(String... files) {
    Set<Path> real = new HashSet<>();
    for (String file : files) {
      try {
        real.add(Path.of(file).toRealPath());
      } catch (java.io.IOException | InvalidPathException gone) {
        // Nobody has opened it.
      }
    }
    return real;
  }

  /** Says so to who reads it. */
  private static final class ClosedInput extends InputStream {
    @Override
    public int read() {
      throw CliFailure.failed(
          "standard input is closed; give it a file, or </dev/null for nothing");
    }

    @Override
    public int read(byte[] into, int from, int length) {
      return read();
    }
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
