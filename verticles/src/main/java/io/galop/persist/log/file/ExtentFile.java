package io.galop.persist.log.file;

import io.galop.persist.log.file.Disk.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes beside the segments how far the Log is on disk, so that a start knows a last record that
 * was damaged from one that was never written to its end, and misses segments at either end. The
 * note is written after the fsync that it tells of and is not forced itself: one that a power cut
 * takes back tells of less, which raises no false alarm. Two places take turns, so that one is
 * always whole. Where it cannot be written the Log works all the same. Costs a write of 64 bytes,
 * without an fsync, for each group. Safe to call from any thread; blocks.
 */
public final class ExtentFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExtentFile.class);
  private static final String NAME = "extent";
  private final Optional<SegmentFile> file;
  private Extent last;
  private boolean isWarned;

  private ExtentFile(Optional<SegmentFile> file, Extent last) {
    this.file = file;
    this.last = last;
  }

  /** What earlier runs have noted; empty if nothing. */
  public static Optional<Extent> read(Path directory) throws IOException {
    Path path = directory.resolve(NAME);
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try (SegmentFile file = FileDisk.openToRead(path)) {
      ByteBuffer bytes = ByteBuffer.allocate(2 * Extent.BYTES);
      file.read(bytes, 0);
      return Stream.of(0, Extent.BYTES)
          .flatMap(at -> Extent.decode(copy(bytes, at)).stream())
          .max(Comparator.comparingLong(Extent::number));
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes, int at) {
    return ByteBuffer.allocate(Extent.BYTES).put(0, bytes, at, Extent.BYTES);
  }

  /** Goes on after what a start has found. */
  public static ExtentFile open(Path directory, Disk disk, Extent found) {
    ExtentFile noted = new ExtentFile(file(directory.resolve(NAME), disk), found);
    noted.note(found.oldest(), found.end(), true);
    return noted;
  }

  private static Optional<SegmentFile> file(Path path, Disk disk) {
    try {
      return Optional.of(Files.exists(path) ? disk.open(path) : disk.create(path));
    } catch (IOException e) {
      LOG.warn("{} cannot be opened: {}", path, e.getMessage());
      return Optional.empty();
    }
  }

  /** All up to there is on disk. */
  public synchronized void reaches(LogPosition end) {
    note(last.oldest(), end, false);
  }

  /** Segments before this one are about to be freed. */
  public synchronized void beginsAt(long oldest) {
    note(Math.max(oldest, last.oldest()), last.end(), true);
  }

  private void note(long oldest, LogPosition end, boolean isForced) {
    last = new Extent(last.number() + 1, last.log(), oldest, end);
    if (file.isEmpty()) {
      return;
    }
    try {
      file.get().write(last.encode(), last.number() % 2 * Extent.BYTES);
      if (isForced) {
        file.get().force();
      }
    } catch (IOException e) {
      if (!isWarned) {
        LOG.warn("cannot note the Log's extent beside it: {}", e.getMessage());
      }
      isWarned = true;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (file.isPresent()) {
      file.get().close();
    }
  }
}
