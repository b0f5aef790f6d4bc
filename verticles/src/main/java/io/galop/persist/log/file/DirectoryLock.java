package io.galop.persist.log.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Keeps a second process, or a second Log of this one, out of a directory. */
public final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  public static DirectoryLock take(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!isTaken(channel, false)) {
      channel.close();
      throw new LogException(
          "the Log in "
              + directory
              + " is open in another process; stop that one, or give this node a data directory of"
              + " its own (node.dataDir)");
    }
    return new DirectoryLock(channel);
  }

  /**
   * Keeps nodes out of a directory without writing to it, while it is read. Where no node ever was,
   * as in a copy of the segments alone, there is nothing to take.
   */
  public static Optional<DirectoryLock> share(Path directory) throws IOException {
    Path file = directory.resolve("lock");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    if (!isTaken(channel, true)) {
      channel.close();
      throw new LogException(
          "a node has the Log in %s open; stop the node, or look at a copy".formatted(directory));
    }
    return Optional.of(new DirectoryLock(channel));
  }

  private static boolean isTaken(FileChannel channel, boolean shared) throws IOException {
    try {
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** The system lets go of the lock with the file, so also when the process is killed. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
