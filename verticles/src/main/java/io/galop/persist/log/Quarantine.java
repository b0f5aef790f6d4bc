package io.galop.persist.log;

import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.Disk.SegmentFile;
import io.galop.persist.log.file.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where copies of what cannot be read are kept, under the segment's name and the first byte. */
final class Quarantine {
  private static final int PIECE_BYTES = 1 << 16;
  private final Disk disk;
  private final Path logDirectory;
  private final Path directory;

  Quarantine(Disk disk, Path logDirectory) {
    this.disk = disk;
    this.logDirectory = logDirectory;
    this.directory = logDirectory.resolve("quarantine");
  }

  /**
   * Keeps a copy.
   *
   * @param kind how the copy's name ends
   * @return whether it was not there yet
   */
  boolean keep(SegmentFile file, Segment segment, long from, long to, String kind)
      throws IOException {
    Path copy =
        directory.resolve(segment.path().getFileName() + "-" + from + "-" + (to - from) + kind);
    if (Files.exists(copy)) {
      return false;
    }
    Files.createDirectories(directory);
    try (SegmentFile target = disk.create(copy)) {
      copy(file, from, to, target);
      target.force();
    }
    disk.syncDirectory(directory);
    disk.syncDirectory(logDirectory);
    return true;
  }

  static void copy(SegmentFile file, long from, long to, SegmentFile target) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (long at = from; at < to; at += PIECE_BYTES) {
      piece.clear().limit((int) Math.min(PIECE_BYTES, to - at));
      file.read(piece, at);
      target.write(piece.flip(), at - from);
    }
  }
}
