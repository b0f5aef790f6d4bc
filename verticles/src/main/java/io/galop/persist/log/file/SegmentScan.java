package io.galop.persist.log.file;

import io.galop.persist.log.file.Disk.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Goes through a segment from end to end and tells what is wrong with it; changes nothing. */
public final class SegmentScan {
  /** Told of each entry. */
  public interface OnEntry {
    void entry(EntryScan at) throws IOException;
  }

  /** Told of each stretch that cannot be read, and why. */
  public interface OnBad {
    void stretch(long from, long to, String what) throws IOException;
  }

  public static final int PIECE_BYTES = 1 << 20;
  private final SegmentFile file;
  private final OnBad onBad;
  private boolean sealed;
  private long size;
  private long end;

  public SegmentScan(SegmentFile file, OnBad onBad) {
    this.file = file;
    this.onBad = onBad;
  }

  /** Reads all entries. */
  public void run(OnEntry onEntry) throws IOException {
    size = file.size();
    EntryScan scan = new EntryScan(file, SegmentHeader.BYTES, this::noEntry);
    while (scan.next(size)) {
      sealed = scan.type() == EntryFormat.SEAL;
      onEntry.entry(scan);
    }
    end = scan.position();
  }

  private void noEntry(long from, long to) throws IOException {
    onBad.stretch(from, to, "no entry has a checksum that fits");
  }

  /** Looks at the end of a segment that others follow. */
  public void checkSeal() throws IOException {
    if (!sealed) {
      onBad.stretch(end, size, "ends without its seal: cut off or overwritten");
    } else if (dataEnd() > end) {
      onBad.stretch(end, size, "continues after its seal");
    }
  }

  /** Looks at the length of the segment that is written to. */
  public void checkLength(int capacity) throws IOException {
    if (size < capacity) {
      onBad.stretch(size, size, "is shorter than it was made: cut off");
    }
  }

  /** Whether the last entry says that another segment follows. */
  public boolean isSealed() {
    return sealed;
  }

  /** How long the file is. */
  public long size() {
    return size;
  }

  /** Where the last entry ends. */
  public long end() {
    return end;
  }

  /**
   * The byte after the last that is not zero, or the end of the entries; all but one piece are
   * compared as a whole.
   */
  public long dataEnd() throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    byte[] zeros = new byte[PIECE_BYTES];
    long dataEnd = end;
    for (long at = end; at < size; at += PIECE_BYTES) {
      file.read(piece.clear().limit((int) Math.min(PIECE_BYTES, size - at)), at);
      int last = piece.position();
      if (!Arrays.equals(piece.array(), 0, last, zeros, 0, last)) {
        while (piece.get(last - 1) == 0) {
          last--;
        }
        dataEnd = at + last;
      }
    }
    return dataEnd;
  }
}
