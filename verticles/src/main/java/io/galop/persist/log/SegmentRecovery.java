package io.galop.persist.log;

import io.galop.persist.log.Disk.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;

/** Reads a segment that an earlier run has left, and puts its end in order. */
final class SegmentRecovery {
  private static final int PIECE_BYTES = 1 << 20;
  private final Segment segment;
  private final SegmentFile file;
  private final Continuity continuity;
  private final Quarantine quarantine;
  private final List<Damage> damages;
  private boolean sealed;

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
  }

  /**
   * Reads a segment that others follow. All of it is kept as it is, and so is what comes after.
   *
   * @throws IOException if the disk fails
   */
  void older() throws IOException {
    long size = file.size();
    long end = scan(size);
    if (!sealed) {
      damaged(end, size, "ends without its seal: cut off or overwritten");
    } else if (end < size && endOfData(end, size) > end) {
      damaged(end, size, "goes on after its seal");
    }
    segment.seal(size, Files.getLastModifiedTime(segment.path()).toMillis());
  }

  /**
   * Reads the last segment. What follows its last good entry was never acknowledged, unless the
   * disk has damaged it: it is cut, and a copy is kept.
   *
   * @param capacity how long the file was made
   * @return how many bytes were cut
   */
  long last(int capacity) throws IOException {
    long size = file.size();
    long end = scan(size);
    if (sealed) {
      older();
      return 0;
    }
    long dataEnd = endOfData(end, size);
    if (dataEnd > end) {
      quarantine.keep(file, segment, end, dataEnd, ".torn");
    }
    if (size < capacity) {
      damaged(size, size, "is shorter than it was made: cut off");
    }
    zero(end, Math.max(dataEnd, size < capacity ? capacity : end));
    rewrite(end);
    segment.endsAt(end);
    return dataEnd - end;
  }

  private long scan(long size) throws IOException {
    EntryScan scan = new EntryScan(file, SegmentHeader.BYTES, this::unreadable);
    while (scan.next(size)) {
      sealed = scan.type() == Entry.SEAL;
      see(scan);
    }
    return scan.position();
  }

  private void see(EntryScan scan) {
    int shard = scan.type() == Entry.SEAL ? 0 : Entry.shard(scan.bytes(), scan.index());
    if (shard >= continuity.shards()) {
      return;
    }
    if (scan.type() == Entry.RECORD) {
      continuity.record(
          shard, Entry.epoch(scan.bytes(), scan.index()), Entry.offset(scan.bytes(), scan.index()));
    } else if (scan.type() == Entry.EPOCHS) {
      continuity.epochs(shard, Entry.epochs(scan.bytes(), scan.index()));
    }
  }

  private void unreadable(long from, long to) throws IOException {
    damaged(from, to, "no entry has a checksum that fits");
  }

  private void damaged(long from, long to, String what) throws IOException {
    segment.damagedAt(from);
    boolean isNew = to <= from || quarantine.keep(file, segment, from, to, ".bad");
    damages.add(
        new Damage(
            segment.path(), from, to, isNew ? what : what + " (known since an earlier start)"));
  }

  /** The byte after the last that is not zero; the other pieces are compared as a whole. */
  private long endOfData(long from, long to) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    byte[] zeros = new byte[PIECE_BYTES];
    long end = from;
    for (long at = from; at < to; at += PIECE_BYTES) {
      file.read(piece.clear().limit((int) Math.min(PIECE_BYTES, to - at)), at);
      int last = piece.position();
      if (!Arrays.equals(piece.array(), 0, last, zeros, 0, last)) {
        while (piece.get(last - 1) == 0) {
          last--;
        }
        end = at + last;
      }
    }
    return end;
  }

  private void zero(long from, long to) throws IOException {
    for (long at = from; at < to; at += PIECE_BYTES) {
      file.write(ByteBuffer.allocate((int) Math.min(PIECE_BYTES, to - at)), at);
    }
  }

  /**
   * Writes again what is there. After a failed fsync the pages in memory pass for clean although
   * the disk does not have them, so a plain fsync would promise too much; see
   * https://wiki.postgresql.org/wiki/Fsync_Errors.
   */
  private void rewrite(long end) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (long at = 0; at < end; at += PIECE_BYTES) {
      piece.clear().limit((int) Math.min(PIECE_BYTES, end - at));
      file.read(piece, at);
      file.write(piece.flip(), at);
    }
    file.force();
  }
}
