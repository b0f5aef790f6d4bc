package io.galop.persist.log;

import io.galop.persist.log.Disk.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Goes through the entries of a segment. Where there is none it looks byte by byte for the next
 * whose checksum fits, and tells what it passed over.
 */
final class EntryScan {
  /** Told of stretches between entries that are no entries. */
  interface OnDamage {
    void passed(long from, long to) throws IOException;
  }

  /** So many zero bytes hold no start of an entry in the first five of them. */
  private static final int ZEROS_SKIPPED = 5;

  private final CRC32C crc = new CRC32C();
  private final Window window;
  private final OnDamage onDamage;
  private long next;
  private int length;
  private int index;

  EntryScan(SegmentFile file, long from, OnDamage onDamage) {
    this.window = new Window(file);
    this.next = from;
    this.onDamage = onDamage;
  }

  /**
   * Moves to the next entry.
   *
   * @return false if there is none before {@code end}
   */
  boolean next(long end) throws IOException {
    if (isEntry(next, end)) {
      next += Entry.HEAD_BYTES + length;
      return true;
    }
    long from = next;
    for (long at = from + 1; at < end; at += isZero(at, end) ? ZEROS_SKIPPED : 1) {
      if (isEntry(at, end)) {
        onDamage.passed(from, at);
        next = at + Entry.HEAD_BYTES + length;
        return true;
      }
    }
    return false;
  }

  private boolean isZero(long at, long end) throws IOException {
    int i = window.require(at, 8, end);
    return i >= 0 && window.bytes().getLong(i) == 0;
  }

  private boolean isEntry(long at, long end) throws IOException {
    int i = window.require(at, Entry.HEAD_BYTES + 1, end);
    if (i < 0 || !Entry.isType(window.bytes().get(i + Entry.HEAD_BYTES))) {
      return false;
    }
    length = window.bytes().getInt(i);
    if (length < 1 || length > end - at - Entry.HEAD_BYTES) {
      return false;
    }
    index = window.require(at, Entry.HEAD_BYTES + length, end);
    return index >= 0 && checksumFits();
  }

  private boolean checksumFits() {
    ByteBuffer bytes = window.bytes();
    int wanted = bytes.getInt(index + 4);
    index += Entry.HEAD_BYTES;
    crc.reset();
    crc.update(bytes.duplicate().limit(index + length).position(index));
    return (int) crc.getValue() == wanted;
  }

  /** Where the entry ends that {@link #next} moved to; at first where the scan starts. */
  long position() {
    return next;
  }

  /** Leaves out what stands before {@code at}. */
  void skipTo(long at) {
    next = at;
  }

  byte type() {
    return bytes().get(index);
  }

  /** Where the type of the entry stands in {@link #bytes}. */
  int index() {
    return index;
  }

  /** The bytes of type and payload. */
  int length() {
    return length;
  }

  ByteBuffer bytes() {
    return window.bytes();
  }
}
