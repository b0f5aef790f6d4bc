package io.galop.ring;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;

/**
 * What one side of a ring holds of its file. The system takes a process's locks of a file away as
 * soon as the process closes any descriptor of it, so all that this process does with one file goes
 * over one channel, which the last that uses it closes.
 */
final class RingLock implements AutoCloseable {
  /** By what the system takes to be one file; guarded by itself. */
  private static final Map<Object, Shared> OPEN = new HashMap<>();

  private static final class Shared {
    private final FileChannel channel;
    private int users;

    private Shared(FileChannel channel) {
      this.channel = channel;
    }
  }

  /** Looks at a file. */
  interface Look<T> {
    T at(FileChannel channel) throws IOException;
  }

  private final Object file;
  private final Shared shared;
  private final FileLock lock;

  private RingLock(Object file, Shared shared, FileLock lock) {
    this.file = file;
    this.shared = shared;
    this.lock = lock;
  }

  /**
   * Takes the lock of a side.
   *
   * @param side the byte of the file that stands for it
   * @param taken what to say if another has it
   */
  static RingLock take(Path path, int side, String taken) throws IOException {
    synchronized (OPEN) {
      Object file = fileOf(path);
      Shared shared = use(file, path);
      try {
        FileLock lock = shared.channel.tryLock(side, 1, false);
        if (lock == null) {
          throw new RingException(taken);
        }
        return new RingLock(file, shared, lock);
      } catch (OverlappingFileLockException e) {
        leave(file, shared);
        throw new RingException(taken);
      } catch (IOException | RuntimeException e) {
        leave(file, shared);
        throw e;
      }
    }
  }

  /** Looks at a file without taking anybody's lock away. */
  static <T> T look(Path path, Look<T> look) throws IOException {
    synchronized (OPEN) {
      Shared shared = OPEN.get(fileOf(path));
      if (shared != null) {
        return look.at(shared.channel);
      }
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        return look.at(channel);
      }
    }
  }

  private static Object fileOf(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path.toRealPath() : key;
  }

  private static Shared use(Object file, Path path) throws IOException {
    Shared shared = OPEN.get(file);
    if (shared == null) {
      shared =
          new Shared(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
      OPEN.put(file, shared);
    }
    shared.users++;
    return shared;
  }

  private static void leave(Object file, Shared shared) throws IOException {
    if (--shared.users == 0) {
      OPEN.remove(file);
      shared.channel.close();
    }
  }

  FileChannel channel() {
    return shared.channel;
  }

  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      if (lock.isValid()) {
        lock.release();
        leave(file, shared);
      }
    }
  }
}
