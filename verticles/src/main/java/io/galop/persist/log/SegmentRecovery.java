package io.galop.persist.log;

import io.galop.persist.log.file.Continuity;
import io.galop.persist.log.file.Damage;
import io.galop.persist.log.file.Disk.SegmentFile;
import io.galop.persist.log.file.EntryFormat;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.SegmentScan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads a segment that an earlier run has left, and puts its end in order. */
final class SegmentRecovery {
  private final Segment segment;
  private final SegmentFile file;
  private final Continuity continuity;
  private final Quarantine quarantine;
  private final List<Damage> damages;
  private final SegmentScan scan;

  /** Stretches that no fsync has confirmed and that cannot be read, in order. */
  private final List<Stretch> torn = new ArrayList<>();

  /** From where on nothing was confirmed; the largest number if that is not known. */
  private long unconfirmedFrom = Long.MAX_VALUE;

  private record Stretch(long from, long to) {}

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
    this.scan = new SegmentScan(file, this::bad);
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
   * <p>A power cut writes the sectors of a group that was not confirmed in any order, so good
   * entries may follow a hole. Nothing there was acknowledged if the note is the newest; since a
   * power cut may have taken back newer notes, the good entries are kept all the same, and moved
   * together.
   *
   * @param capacity how long the file was made
   * @param synced up to where it is known to have been on disk, and may have been acknowledged;
   *     empty if that is not known
   * @return how many bytes were cut that had not been written to their end
   */
  long last(int capacity, OptionalLong synced) throws IOException {
    unconfirmedFrom = synced.orElse(Long.MAX_VALUE);
    scan.run(continuity::see);
    long dataEnd = scan.dataEnd();
    if (!torn.isEmpty()) {
      quarantine.keep(file, segment, torn.get(0).from(), dataEnd, ".torn");
      long end = moveTogether();
      cutAt(end, Math.max(dataEnd, capacity));
      return dataEnd - end;
    }
    if (scan.isSealed()) { // the fsync of the seal itself may have failed
      rewrite(scan.size());
      keepAsItIs();
      return 0;
    }
    return lastWithoutHoles(capacity, dataEnd, synced.orElse(0));
  }

  private long lastWithoutHoles(int capacity, long dataEnd, long synced) throws IOException {
    long end = scan.end();
    if (end < synced) {
      damaged(end, Math.max(dataEnd, synced), "ends before what was on disk and acknowledged");
    } else if (dataEnd > end) {
      quarantine.keep(file, segment, end, dataEnd, ".torn");
    }
    scan.checkLength(capacity);
    cutAt(end, Math.max(dataEnd, scan.size() < capacity ? capacity : end));
    return end < synced ? 0 : dataEnd - end;
  }

  /** Leaves out the holes, and a seal that was not confirmed; returns where the last entry ends. */
  private long moveTogether() throws IOException {
    long lastEnd = scan.isSealed() ? scan.end() - EntryFormat.SEAL_BYTES : scan.end();
    long end = torn.get(0).from();
    for (int i = 0; i < torn.size(); i++) {
      long from = torn.get(i).to();
      long to = i + 1 < torn.size() ? torn.get(i + 1).from() : lastEnd;
      move(from, to, end);
      end += to - from;
    }
    return end;
  }

  private void move(long from, long to, long target) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(SegmentScan.PIECE_BYTES);
    for (long at = from; at < to; at += SegmentScan.PIECE_BYTES) {
      piece.clear().limit((int) Math.min(SegmentScan.PIECE_BYTES, to - at));
      file.read(piece, at);
      file.write(piece.flip(), target + at - from);
    }
  }

  private void cutAt(long end, long zeroTo) throws IOException {
    zero(end, zeroTo);
    rewrite(end);
    segment.endsAt(end);
  }

  private void bad(long from, long to, String what) throws IOException {
    if (from >= unconfirmedFrom && to > from) {
      torn.add(new Stretch(from, to));
    } else {
      damaged(from, to, what);
    }
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
    move(0, end, 0);
    file.force();
  }
}
