package io.galop.ops.audit;

import io.galop.config.AuditConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/**
 * A file of lines that is begun anew when it is full; those before are kept beside it, {@code .1}
 * the newest. It is opened for each line, which are few, so that others may move it away. One
 * thread, which blocks.
 */
final class AuditFile {
  private static final String READABLE_BY_OWNER_AND_GROUP = "rw-r-----";

  private final Path file;
  private final AuditConfig bounds;

  AuditFile(Path file, AuditConfig bounds) {
    this.file = file.toAbsolutePath();
    this.bounds = bounds;
  }

  /**
   * Appends a line and has it on the disk.
   *
   * @throws IOException if it is not there; then no part of it is
   */
  void append(String line) throws IOException {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    Files.createDirectories(parent());
    if (Files.isRegularFile(file) && Files.size(file) + bytes.length > bounds.maxBytes()) {
      rotate();
    }
    boolean isNew = !Files.exists(file);
    try (FileChannel out =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            attributes())) {
      append(out, bytes);
    }
    if (isNew) {
      syncParent();
    }
  }

  private static void append(FileChannel out, byte[] line) throws IOException {
    long end = out.size();
    try {
      out.position(end);
      if (end > 0 && !endsALine(out, end)) { // a crash has cut the last one off
        writeAll(out, new byte[] {'\n'});
      }
      writeAll(out, line);
      out.force(false);
    } catch (IOException e) {
      try {
        out.truncate(end);
      } catch (IOException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  private static boolean endsALine(FileChannel out, long end) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    return out.read(last, end - 1) == 1 && last.get(0) == '\n';
  }

  private static void writeAll(FileChannel out, byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      out.write(rest);
    }
  }

  private void rotate() throws IOException {
    for (int i = bounds.files() - 1; i >= 1; i--) {
      if (Files.exists(before(i))) {
        Files.move(before(i), before(i + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.move(file, before(1), StandardCopyOption.REPLACE_EXISTING);
  }

  private Path before(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  private Path parent() {
    return Objects.requireNonNull(file.getParent(), "a file has a directory");
  }

  private FileAttribute<?>[] attributes() {
    boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return isPosix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(
              PosixFilePermissions.fromString(READABLE_BY_OWNER_AND_GROUP))
        }
        : new FileAttribute<?>[0];
  }

  /** A power cut would else take the name of a new file away. */
  private void syncParent() throws IOException {
    try (FileChannel directory = FileChannel.open(parent(), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }
}
