package io.galop.persist.log.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a segment: magic, version, shards, sequence, identity, size, zeros and a
 * CRC32C of what is before it.
 *
 * @param version of the format of the whole segment
 * @param shards into how many the topic space was divided when it was written
 * @param sequence from 1 without holes
 * @param log a random number that all segments of one Log share and no other Log has
 * @param segmentBytes the size of the file until it is sealed
 */
public record SegmentHeader(int version, int shards, long sequence, long log, int segmentBytes) {
  public static final int BYTES = 64;
  public static final int VERSION = 1;
  private static final byte[] MAGIC = "GALOPLOG".getBytes(StandardCharsets.US_ASCII);
  private static final int CRC_AT = BYTES - 4;

  public SegmentHeader withSequence(long other) {
    return new SegmentHeader(version, shards, other, log, segmentBytes);
  }

  public ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes
        .put(MAGIC)
        .putInt(version)
        .putInt(shards)
        .putLong(sequence)
        .putLong(log)
        .putInt(segmentBytes);
    bytes.putInt(CRC_AT, crc(bytes));
    return bytes.clear();
  }

  /** Reads a header; empty if it is damaged. */
  public static Optional<SegmentHeader> decode(ByteBuffer bytes) {
    for (int i = 0; i < MAGIC.length; i++) {
      if (bytes.get(i) != MAGIC[i]) {
        return Optional.empty();
      }
    }
    if (bytes.getInt(CRC_AT) != crc(bytes)) {
      return Optional.empty();
    }
    return Optional.of(
        new SegmentHeader(
            bytes.getInt(8),
            bytes.getInt(12),
            bytes.getLong(16),
            bytes.getLong(24),
            bytes.getInt(32)));
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, CRC_AT);
    return (int) crc.getValue();
  }
}
