package io.galop.persist.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second process, or a second Log of this one, out of a directory. */
final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  static DirectoryLock take(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!isTaken(channel)) {
      channel.close();
      throw new LogException(
          "the Log in "
              + directory
              + " is open in another process; stop that one, or give this node a data directory of"
              + " its own (node.dataDir)");
    }
    return new DirectoryLock(channel);
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
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
