package io.galop.persist.log.stopped;

import io.galop.persist.log.file.Damage;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.file.SegmentHeader;
import java.nio.file.Path;
import java.util.List;

/**
 * What a scan of a {@link StoppedLog} has found.
 *
 * @param segments oldest first
 * @param damages stretches that cannot be read, oldest first
 * @param missing Positions that are missing because of damage, as {@code <shard>.<epoch>-<first>}
 *     or {@code <shard>.<epoch>-<first>..<last>}
 */
public record LogFindings(List<OfSegment> segments, List<OfDamage> damages, List<String> missing) {
  public LogFindings {
    segments = List.copyOf(segments);
    damages = List.copyOf(damages);
    missing = List.copyOf(missing);
  }

  /**
   * A segment.
   *
   * @param sequence from 1; sinks' cursors name it
   * @param diskBytes how long the file is
   * @param endByte the byte after its last entry
   * @param unfinishedBytes what follows that was not written to its end; the next start cuts it
   * @param records that can be read
   * @param sealed whether it says that another segment follows
   */
  public record OfSegment(
      long sequence,
      Path path,
      long diskBytes,
      long endByte,
      long unfinishedBytes,
      long records,
      boolean sealed) {}

  /**
   * A damaged stretch.
   *
   * @param missing what was in it, as far as the records around it tell; where stretches lie
   *     between the same two records of a shard, each of them names what is missing there
   */
  public record OfDamage(Damage damage, List<String> missing) {
    public OfDamage {
      missing = List.copyOf(missing);
    }
  }

  /** Records that can be read. */
  public long records() {
    return segments.stream().mapToLong(OfSegment::records).sum();
  }

  /** What the segments take on the disk. */
  public long diskBytes() {
    return segments.stream().mapToLong(OfSegment::diskBytes).sum();
  }

  /** What was not written to its end. */
  public long unfinishedBytes() {
    return segments.stream().mapToLong(OfSegment::unfinishedBytes).sum();
  }

  /** Bytes of entries that a reader at a position has before it. */
  public long bytesAfter(LogPosition position) {
    long bytes = 0;
    for (OfSegment segment : segments) {
      boolean isIn = segment.sequence() == position.segment();
      if (isIn || segment.sequence() > position.segment()) {
        long from = isIn ? Math.max(position.offset(), SegmentHeader.BYTES) : SegmentHeader.BYTES;
        bytes += Math.max(0, segment.endByte() - from);
      }
    }
    return bytes;
  }
}
