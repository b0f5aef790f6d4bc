package io.galop.persist.log.file;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What must be there of a Log: from a segment up to an end that an fsync has confirmed.
 *
 * @param number of the note, the higher the later
 * @param log whose it is
 * @param oldest sequence of the first segment that was not freed
 */
public record Extent(long number, long log, long oldest, LogPosition end) {
  static final int BYTES = 64;
  private static final int CRC_AT = BYTES - 8;

  /** Up to where a segment is known to be on disk; 0 if that is not known of this one. */
  public long synced(long sequence) {
    return end.segment() == sequence ? end.offset() : 0;
  }

  /** What is wrong where these are all segments that are left; empty if none is missing after. */
  public Optional<Damage> missingAfter(List<Path> files, Path directory) {
    long last = files.isEmpty() ? 0 : Segment.sequence(files.get(files.size() - 1));
    return last >= end.segment()
        ? Optional.empty()
        : Optional.of(
            new Damage(
                Segment.path(directory, end.segment()),
                0,
                end.offset(),
                "the newest segment is missing"));
  }

  ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(number).putLong(log).putLong(oldest);
    bytes.putLong(end.segment()).putLong(end.offset());
    bytes.putLong(CRC_AT, crc(bytes));
    return bytes.clear();
  }

  /** Reads one; empty if it was not written to its end. */
  static Optional<Extent> decode(ByteBuffer bytes) {
    if (bytes.getLong(CRC_AT) != crc(bytes)) {
      return Optional.empty();
    }
    LogPosition end = new LogPosition(bytes.getLong(24), bytes.getLong(32));
    return Optional.of(new Extent(bytes.getLong(0), bytes.getLong(8), bytes.getLong(16), end));
  }

  /** Never that of zeros alone. */
  private static long crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, CRC_AT);
    return crc.getValue() | 1L << 32;
  }
}
