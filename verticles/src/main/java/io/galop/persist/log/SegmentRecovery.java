package io.galop.persist.log;

import io.galop.persist.log.Disk.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;

/** Reads a segment that an earlier run has left, and puts its end in order. */
final class SegmentRecovery {
  private final Segment segment;
  private final SegmentFile file;
  private final Continuity continuity;
  private final Quarantine quarantine;
  private final List<Damage> damages;
  private final SegmentScan scan;

  SegmentRecovery(
      Segment segment,
      SegmentFile file,
      Continuity continuity,
      Quarantine quarantine,
      List<Damage> damages) {
    this.segment = segment;
    this.file = file;
    this.continuity = continuity;
    this.quarantine = quarantine;
    this.damages = damages;
    this.scan = new SegmentScan(file, this::damaged);
  }

  /**
   * Reads a segment that others follow. All of it is kept as it is, and so is what comes after.
   *
   * @throws IOException if the disk fails
   */
  void older() throws IOException {
    scan.run(continuity::see);
    keepAsItIs();
  }

  private void keepAsItIs() throws IOException {
    scan.checkSeal();
    segment.seal(scan.size(), Files.getLastModifiedTime(segment.path()).toMillis());
  }

  /**
   * Reads the last segment. What follows its last good entry is cut, and a copy is kept. It was
   * never acknowledged, unless the disk has damaged it.
   *
   * @param capacity how long the file was made
   * @param synced up to where it is known to have been on disk, and may have been acknowledged
   * @return how many bytes were cut that had not been written to their end
   */
  long last(int capacity, long synced) throws IOException {
    scan.run(continuity::see);
    if (scan.isSealed()) { // the fsync of the seal itself may have failed
      rewrite(scan.size());
      keepAsItIs();
      return 0;
    }
    long end = scan.end();
    long dataEnd = scan.dataEnd();
    if (end < synced) {
      damaged(end, Math.max(dataEnd, synced), "ends before what was on disk and acknowledged");
    } else if (dataEnd > end) {
      quarantine.keep(file, segment, end, dataEnd, ".torn");
    }
    scan.checkLength(capacity);
    zero(end, Math.max(dataEnd, scan.size() < capacity ? capacity : end));
    rewrite(end);
    segment.endsAt(end);
    return end < synced ? 0 : dataEnd - end;
  }

  private void damaged(long from, long to, String what) throws IOException {
    segment.damagedAt(from);
    boolean isNew = to <= from || quarantine.keep(file, segment, from, to, ".bad");
    damages.add(
        new Damage(
            segment.path(), from, to, isNew ? what : what + " (known since an earlier start)"));
  }

  private void zero(long from, long to) throws IOException {
    for (long at = from; at < to; at += SegmentScan.PIECE_BYTES) {
      file.write(ByteBuffer.allocate((int) Math.min(SegmentScan.PIECE_BYTES, to - at)), at);
    }
  }

  /**
   * Writes again what is there. After a failed fsync the pages in memory pass for clean although
   * the disk does not have them, so a plain fsync would promise too much; see
   * https://wiki.postgresql.org/wiki/Fsync_Errors. In place, so that a full disk can be started
   * from; segments before the last need it not, since none follows one that was not forced.
   */
  private void rewrite(long end) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(SegmentScan.PIECE_BYTES);
    for (long at = 0; at < end; at += SegmentScan.PIECE_BYTES) {
      piece.clear().limit((int) Math.min(SegmentScan.PIECE_BYTES, end - at));
      file.read(piece, at);
      file.write(piece.flip(), at);
    }
    file.force();
  }
}
