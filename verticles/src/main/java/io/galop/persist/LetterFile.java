package io.galop.persist;

import io.galop.record.Position;
import io.galop.record.RecentIds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file of dead letters that can be kept nowhere else, a line each. It has a bound, behind which
 * nothing is taken any more: what is in it was acknowledged, so nobody but the operator removes it,
 * at any time. Safe to call from any thread; blocks.
 */
final class LetterFile {
  /** A sink that begins again comes with the same letters. */
  private static final int REMEMBERED = 16_384;

  /** A Position is of one record, whatever its topic. */
  private static final String ANY_TOPIC = "";

  private final Path path;
  private final long maxBytes;
  private final RecentIds written = new RecentIds(REMEMBERED);

  LetterFile(Path path, long maxBytes) {
    this.path = path;
    this.maxBytes = maxBytes;
  }

  /** How large it is now, whoever has changed it; 0 if there is none. Looks at the disk. */
  long bytes() {
    return path.toFile().length();
  }

  /**
   * Appends a letter, on the disk when this returns; one that was appended before is not again.
   *
   * @param of where the record stands that the letter is about
   * @throws IOException saying what to do, if the file is full or cannot be written: then nothing
   *     of the letter is in it
   */
  synchronized void append(Position of, byte[] letter) throws IOException {
    if (written.contains(ANY_TOPIC, of.toString())) {
      return;
    }
    boolean isNew = !Files.exists(path);
    Files.createDirectories(path.getParent());
    try (FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      append(file, letter);
    }
    if (isNew) {
      syncDirectoryOf(path);
      Path directory = path.toAbsolutePath().getParent();
      if (directory != null) {
        syncDirectoryOf(directory);
      }
    }
    written.add(ANY_TOPIC, of.toString());
  }

  private void append(FileChannel file, byte[] letter) throws IOException {
    long size = file.size();
    ByteBuffer line = line(letter, isTorn(file, size));
    if (size > 0 && size + line.remaining() > maxBytes) {
      throw new IOException(
          "%s has %,d of %,d bytes (sink.deadLetterFileBytes): drive its letters again and move it away, or mend what the store refuses"
              .formatted(path, size, maxBytes));
    }
    try {
      write(file, line, size);
      file.force(true);
    } catch (IOException e) {
      file.truncate(size);
      throw e;
    }
  }

  /** Whether a kill has left a part of a line, which was never taken for kept. */
  private static boolean isTorn(FileChannel file, long size) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    return size > 0 && file.read(last, size - 1) == 1 && last.get(0) != '\n';
  }

  private static ByteBuffer line(byte[] letter, boolean isTorn) {
    ByteBuffer line = ByteBuffer.allocate(letter.length + 2);
    if (isTorn) {
      line.put((byte) '\n');
    }
    return line.put(letter).put((byte) '\n').flip();
  }

  private static void write(FileChannel file, ByteBuffer line, long from) throws IOException {
    long at = from;
    while (line.hasRemaining()) {
      at += file.write(line, at);
    }
  }

  /** So that a power cut does not take away the name of a file whose content it leaves. */
  /** Puts on the disk that something is in its directory. */
  static void syncDirectoryOf(Path entry) throws IOException {
    Path directory = entry.toAbsolutePath().getParent();
    if (directory == null) {
      return; // a root is in none
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
