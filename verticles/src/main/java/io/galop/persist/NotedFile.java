package io.galop.persist;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A small file of the data directory that is there as a whole, before or after each change. */
final class NotedFile {
  private NotedFile() {}

  /** Puts a text on the disk in place of what was there. Blocking; one thread at a time. */
  static void replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(next, text, StandardCharsets.UTF_8);
    try (FileChannel written = FileChannel.open(next, StandardOpenOption.WRITE)) {
      written.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    LetterFile.syncDirectoryOf(file);
  }
}
