package io.galop.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Directories that are gone when the JVM is, on SIGTERM too, and the processes that write into them
 * before; only a kill -9 leaves them.
 */
public final class Scratch {
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();
  private static final Set<Process> WRITERS = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Scratch::clear));
  }

  private Scratch() {}

  /** A new one among the machine's temporary directories. */
  public static Path directory(String name) throws IOException {
    return directory(Path.of(System.getProperty("java.io.tmpdir")), name);
  }

  public static Path directory(Path parent, String name) throws IOException {
    Path directory = Files.createTempDirectory(parent, name);
    OPEN.add(directory);
    return directory;
  }

  /** Deletes one before the end; out of the way first, so that nobody writes into it meanwhile. */
  public static void delete(Path directory) {
    OPEN.remove(directory);
    try {
      Path away =
          Files.move(directory, directory.resolveSibling(directory.getFileName() + ".gone"));
      Files.walkFileTree(away, new Deletion());
    } catch (NoSuchFileException e) {
      // Whoever used it has deleted it.
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A process that writes into some of them, and ends with the JVM. */
  public static void isUsedBy(Process writer) {
    WRITERS.add(writer);
    writer.onExit().thenAccept(WRITERS::remove);
  }

  private static void clear() {
    WRITERS.forEach(Process::destroyForcibly);
    WRITERS.forEach(writer -> writer.onExit().join());
    OPEN.forEach(Scratch::delete);
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException gone) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
