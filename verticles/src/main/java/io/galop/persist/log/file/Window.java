package io.galop.persist.log.file;

import io.galop.persist.log.file.Disk.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The part of a segment that is in memory while it is read. */
final class Window {
  private static final int BYTES = 1 << 20;
  private final SegmentFile file;
  private ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES).limit(0);
  private long start;

  Window(SegmentFile file) {
    this.file = file;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  /**
   * Brings a stretch into memory.
   *
   * @param end nothing from here on is read: it may still be written
   * @return the index in {@link #bytes} of what stands at {@code at}, or -1 if the stretch goes
   *     beyond {@code end} or the end of the file
   */
  int require(long at, int length, long end) throws IOException {
    if (at + length > end) {
      return -1;
    }
    if (at < start || at + length > start + bytes.limit()) {
      load(at, length, end);
    }
    return at + length <= start + bytes.limit() ? (int) (at - start) : -1;
  }

  private void load(long at, int length, long end) throws IOException {
    if (bytes.capacity() < length) {
      bytes = ByteBuffer.allocateDirect(length);
    }
    bytes.clear().limit((int) Math.min(bytes.capacity(), end - at));
    file.read(bytes, at);
    bytes.flip();
    start = at;
  }
}
