package io.galop.persist.log.file;

import io.galop.persist.log.file.Disk.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Goes through the entries of a segment. Where there is none it looks byte by byte for the next
 * whose checksum fits, and tells what it passed over.
 */
public final class EntryScan {
  /** Told of stretches between entries that are no entries. */
  public interface OnDamage {
    void passed(long from, long to) throws IOException;
  }

  private static final int ZEROS = 8;

  /** In eight zero bytes none of the first five starts an entry: its length would be zero. */
  private static final int ZEROS_SKIPPED = 5;

  private final CRC32C crc = new CRC32C();
  private final Window window;
  private final OnDamage onDamage;
  private long next;
  private int length;
  private int index;

  public EntryScan(SegmentFile file, long from, OnDamage onDamage) {
    this.window = new Window(file);
    this.next = from;
    this.onDamage = onDamage;
  }

  /**
   * Moves to the next entry.
   *
   * @return false if there is none before {@code end}
   */
  public boolean next(long end) throws IOException {
    if (isEntry(next, end)) {
      next += EntryFormat.HEAD_BYTES + length;
      return true;
    }
    long from = next;
    for (long at = pastZeros(from + 1, end); at < end; at = pastZeros(at + 1, end)) {
      if (isEntry(at, end)) {
        onDamage.passed(from, at);
        next = at + EntryFormat.HEAD_BYTES + length;
        return true;
      }
    }
    return false;
  }

  /** The first place from {@code at} on where an entry may start: its length is not zero. */
  private long pastZeros(long at, long end) throws IOException {
    long next = at;
    for (int i = window.require(next, ZEROS, end); i >= 0; i = window.require(next, ZEROS, end)) {
      int from = i;
      while (i + ZEROS <= window.bytes().limit() && window.bytes().getLong(i) == 0) {
        i += ZEROS_SKIPPED;
      }
      next += i - from;
      if (i + ZEROS <= window.bytes().limit()) {
        return next;
      }
    }
    return next;
  }

  private boolean isEntry(long at, long end) throws IOException {
    int i = window.require(at, EntryFormat.HEAD_BYTES + 1, end);
    if (i < 0 || !EntryFormat.isType(window.bytes().get(i + EntryFormat.HEAD_BYTES))) {
      return false;
    }
    length = window.bytes().getInt(i);
    if (length < 1 || length > end - at - EntryFormat.HEAD_BYTES) {
      return false;
    }
    index = window.require(at, EntryFormat.HEAD_BYTES + length, end);
    return index >= 0 && checksumFits();
  }

  private boolean checksumFits() {
    ByteBuffer bytes = window.bytes();
    int wanted = bytes.getInt(index + 4);
    index += EntryFormat.HEAD_BYTES;
    crc.reset();
    crc.update(bytes.duplicate().limit(index + length).position(index));
    return (int) crc.getValue() == wanted;
  }

  /** Where the entry ends that {@link #next} moved to; at first where the scan starts. */
  public long position() {
    return next;
  }

  /** Leaves out what stands before {@code at}. */
  public void skipTo(long at) {
    next = at;
  }

  public byte type() {
    return bytes().get(index);
  }

  /** Where the type of the entry stands in {@link #bytes}. */
  public int index() {
    return index;
  }

  /** The bytes of type and payload. */
  public int length() {
    return length;
  }

  public ByteBuffer bytes() {
    return window.bytes();
  }
}
