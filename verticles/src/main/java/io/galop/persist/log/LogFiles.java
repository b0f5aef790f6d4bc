package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.persist.log.file.DirectoryLock;
import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.DurableEpochs;
import io.galop.persist.log.file.ExtentFile;
import io.galop.persist.log.file.LogException;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.persist.log.file.Segments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of a Log that is open: what earlier runs have left, recovered, and the segment that is
 * written to.
 *
 * @param log the number of the Log
 * @param lock held as long as the files are in use
 * @param shards what was known of each
 * @param out at the end of the newest segment; the Log's writer thread has it alone
 */
record LogFiles(
    long log,
    DirectoryLock lock,
    LogRecovery recovery,
    List<RecoveredShard> shards,
    Segments segments,
    CursorLimits limits,
    ExtentFile extent,
    Spare spare,
    SegmentWriter out) {

  /** Blocking. */
  static LogFiles open(Path directory, LogConfig config, int shards, Disk disk) throws IOException {
    checkTablesFit(config, shards);
    Files.createDirectories(directory);
    DirectoryLock lock = DirectoryLock.take(directory);
    try {
      return recover(lock, new Segments(directory, disk), config, shards);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static void checkTablesFit(LogConfig config, int shards) {
    int bytes = shards * DurableEpochs.MAX_ENTRY_BYTES;
    if (bytes > config.segmentBytes() / 4) {
      throw new LogException(
          "persist.log.segmentBytes must be at least %d for %d shards; it is %d"
              .formatted(4 * bytes, shards, config.segmentBytes()));
    }
  }

  private static LogFiles recover(
      DirectoryLock lock, Segments segments, LogConfig config, int shards) throws IOException {
    Recovery recovery = new Recovery(segments, config, shards);
    LogRecovery found = recovery.run();
    CursorLimits limits = CursorLimits.open(segments.directory(), segments.disk(), found.end());
    List<RecoveredShard> recovered = RecoveredShard.all(recovery.tables());
    SegmentHeader template = recovery.template();
    Spare spare = new Spare(segments, config);
    SegmentWriter out = SegmentWriter.begin(segments, spare, template, recovery.tables());
    ExtentFile extent = recovery.extent(out.position());
    return new LogFiles(
        template.log(), lock, found, recovered, segments, limits, extent, spare, out);
  }
}
