package io.galop.scratch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory among the system's temporary ones that belongs to a process and goes with it. What
 * was killed leaves its own: the next one deletes it, as nobody has its file {@code lock} locked.
 * Services that tidy up temporary files, and people, may delete it, or only that file, at any time.
 */
public final class ProcessDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessDirectory.class);
  private static final String PREFIX = "galop-process-";
  private static final String LOCK = "lock";
  private static final int ATTEMPTS = 10;

  /** What has had no lock for so long is not one that is just being made. */
  private static final Duration OLD = Duration.ofDays(1);

  private static @Nullable ProcessDirectory ofThisProcess;

  private final Path path;
  private final FileChannel lock;

  private ProcessDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** The one of this process, made when it is asked for first, and again if it is gone. */
  public static synchronized Path path() throws IOException {
    if (ofThisProcess == null) {
      ofThisProcess = open(Path.of(System.getProperty("java.io.tmpdir")));
      Runtime.getRuntime()
          .addShutdownHook(new Thread(ProcessDirectory::closeCurrent, "galop-process-directory"));
    } else if (!hasLock(ofThisProcess.path)) {
      ofThisProcess = ofThisProcess.again();
    }
    return ofThisProcess.path;
  }

  private static synchronized void closeCurrent() {
    if (ofThisProcess != null) {
      ofThisProcess.close();
    }
  }

  /** What is in it is still in use, if it is only the lock that is gone. */
  private ProcessDirectory again() throws IOException {
    LOG.warn("something deleted {} or its lock; creating it again", path);
    lock.close();
    FileChannel fresh = Files.isDirectory(path) ? lock(path, StandardOpenOption.CREATE_NEW) : null;
    return fresh == null
        ? open(Objects.requireNonNull(path.getParent()))
        : new ProcessDirectory(path, fresh);
  }

  /** A new directory in it; to be deleted by {@link #delete} when it is not needed any more. */
  public static Path newDirectory(String prefix) throws IOException {
    return Files.createTempDirectory(path(), prefix);
  }

  /** Deletes a directory with all that is in it; what is gone already is no failure. */
  public static void delete(Path directory) throws IOException {
    Files.walkFileTree(directory, new Deletion());
  }

  /** Makes one, and deletes those of processes that are no more. */
  static ProcessDirectory open(Path parent) throws IOException {
    sweep(parent);
    for (int i = 0; i < ATTEMPTS; i++) {
      Path path = Files.createTempDirectory(parent, PREFIX);
      FileChannel lock = lock(path, StandardOpenOption.CREATE_NEW);
      if (lock != null) {
        return new ProcessDirectory(path, lock);
      }
    }
    throw new IOException("no directory of its own could be had in " + parent);
  }

  /**
   * Locks a directory until the channel is closed or the process ends.
   *
   * @return null if another process has it locked, or has just deleted it
   */
  private static @Nullable FileChannel lock(Path directory, StandardOpenOption... how)
      throws IOException {
    FileChannel channel;
    try {
      channel =
          FileChannel.open(
              directory.resolve(LOCK),
              Stream.concat(Stream.of(StandardOpenOption.WRITE), Stream.of(how))
                  .toArray(StandardOpenOption[]::new));
    } catch (NoSuchFileException e) {
      return null;
    }
    if (isLocked(channel) && hasLock(directory)) {
      return channel;
    }
    channel.close();
    return null;
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static void sweep(Path parent) throws IOException {
    List<Path> all;
    try (Stream<Path> entries = Files.list(parent)) {
      all = entries.filter(one -> one.getFileName().toString().startsWith(PREFIX)).toList();
    }
    for (Path one : all) {
      try (FileChannel left = lock(one)) {
        if (left != null || !hasLock(one) && isOld(one)) {
          delete(one);
        }
      } catch (IOException e) { // another user's, say
        LOG.debug("{} is left as it is: {}", one, e.toString());
      }
    }
  }

  private static boolean hasLock(Path directory) {
    return Files.exists(directory.resolve(LOCK));
  }

  private static boolean isOld(Path directory) throws IOException {
    Instant changed = Files.getLastModifiedTime(directory).toInstant();
    return changed.isBefore(Instant.now().minus(OLD));
  }

  Path directory() {
    return path;
  }

  /** Deletes it. */
  void close() {
    try {
      delete(path);
      lock.close();
    } catch (IOException e) {
      LOG.debug("{} is left: {}", path, e.toString());
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
