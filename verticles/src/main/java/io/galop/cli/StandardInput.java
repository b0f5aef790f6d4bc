package io.galop.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Standard input that is closed: the first file that Java opens takes its number, and would be read
 * in its place. Whoever reads is told so.
 */
final class StandardInput extends InputStream {
  private static final Path NUMBER_0 = Path.of("/proc/self/fd/0");

  private StandardInput() {}

  /** That of this process. Where the kernel does not list open files, it counts as open. */
  static InputStream ofProcess() {
    try {
      boolean isClosed =
          Files.isSymbolicLink(NUMBER_0)
              && isOfJava(
                  Files.readSymbolicLink(NUMBER_0),
                  real(System.getProperty("java.class.path").split(File.pathSeparator)),
                  Path.of(System.getProperty("java.home"), "lib").toRealPath());
      return isClosed ? new StandardInput() : System.in;
    } catch (IOException e) {
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
      } catch (IOException | InvalidPathException gone) {
        // Nobody has opened it.
      }
    }
    return real;
  }

  @Override
  public int read() {
    throw CliFailure.failed("standard input is closed; give it a file, or </dev/null for nothing");
  }

  @Override
  public int read(byte[] into, int from, int length) {
    return read();
  }
}
