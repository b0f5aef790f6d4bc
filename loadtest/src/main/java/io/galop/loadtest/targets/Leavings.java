package io.galop.loadtest.targets;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Processes and directories that the load test would leave behind. What was not closed in order
 * goes when the load test ends, on SIGTERM and Ctrl-C too: first the processes, with all that they
 * have started, then the directories, into which they write.
 */
public final class Leavings {
  private static final String NAME = "galop-loadtest";
  private static final long STOP_SECONDS = 10;
  private static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();
  private static final Set<Path> DIRECTORIES = ConcurrentHashMap.newKeySet();
  private static boolean isOver;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Leavings::clear, "clear up"));
  }

  private Leavings() {}

  /** Starts a process. */
  static synchronized Process start(ProcessBuilder program) throws IOException {
    checkGoesOn();
    Process process = program.start();
    PROCESSES.add(process);
    process.onExit().thenAccept(PROCESSES::remove);
    return process;
  }

  /** A new directory among the machine's temporary ones. */
  public static Path directory() throws IOException {
    return directory(Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** A new directory. */
  public static synchronized Path directory(Path parent) throws IOException {
    checkGoesOn();
    Path directory = Files.createTempDirectory(parent, NAME);
    DIRECTORIES.add(directory);
    return directory;
  }

  /** Whoever still works while all is cleared away must not add to it. */
  private static void checkGoesOn() throws IOException {
    if (isOver) {
      throw new IOException("the load test is ending");
    }
  }

  /** Deletes a directory before the end, when no process uses it any more. */
  public static void delete(Path directory) {
    try {
      Files.walkFileTree(directory, new Deletion());
    } catch (IOException e) {
      System.err.println(directory + " is left: " + e);
    }
    DIRECTORIES.remove(directory);
  }

  /** Goes on where something is gone already. */
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

  private static void clear() {
    synchronized (Leavings.class) {
      isOver = true;
    }
    List<ProcessHandle> all =
        PROCESSES.stream()
            .map(Process::toHandle)
            .flatMap(one -> Stream.concat(one.descendants(), Stream.of(one)))
            .toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(Leavings::awaitEnd);
    DIRECTORIES.forEach(Leavings::delete);
  }

  private static void awaitEnd(ProcessHandle process) {
    try {
      process.onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      System.err.println("process " + process.pid() + " is left");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
