package io.galop.enrich.script.swap;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Objects;
import java.util.UUID;

/**
 * Writes a file that others may read meanwhile: they see what was there or all that is new. Who may
 * read it stays as it was, and where it is a symbolic link what that leads to is written.
 */
final class ReplacedFile {
  private ReplacedFile() {}

  /** Writes a text into a file, which need not be there. */
  static void write(Path file, String text) throws IOException {
    boolean exists = Files.exists(file);
    Path target = exists ? file.toRealPath() : file.toAbsolutePath();
    Path whole = target.resolveSibling(".galop-" + UUID.randomUUID() + ".new");
    try {
      Files.writeString(whole, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      sync(whole, StandardOpenOption.WRITE);
      if (exists) {
        copyPermissions(target, whole);
      }
      Files.move(
          whole, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      sync(
          Objects.requireNonNull(target.getParent(), "a file has a directory"),
          StandardOpenOption.READ);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  /** A power cut would else leave the name without the text, or the text of before. */
  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }

  private static void copyPermissions(Path from, Path to) throws IOException {
    if (Files.getFileAttributeView(from, PosixFileAttributeView.class) != null) {
      Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
    }
  }
}
