package io.galop.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How large a ring is.
 *
 * @param capacityBytes of the ring of records, a power of two
 * @param maxMessageBytes largest message, its own header not counted; at most an eighth of that
 */
public record RingSizes(int capacityBytes, int maxMessageBytes) {

  /**
   * What is wrong with a file, if it is there; it is not changed.
   *
   * @return empty if the file is a ring of these sizes, or is not there
   */
  public Optional<String> wrong(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      RingSizes found = RingLock.look(file, channel -> of(file, channel));
      return equals(found) ? Optional.empty() : Optional.of(otherSizes(file, found));
    } catch (IOException e) {
      return Optional.of(
          e instanceof RingException
              ? String.valueOf(e.getMessage())
              : "the file " + file + " cannot be read");
    }
  }

  /** Says that a file has other sizes than these. */
  String otherSizes(Path file, RingSizes found) {
    return ("the file %s is a ring of capacityBytes %d and maxMessageBytes %d, not %d and %d;"
            + " delete it when all of its records are acknowledged, or configure those")
        .formatted(
            file, found.capacityBytes, found.maxMessageBytes, capacityBytes, maxMessageBytes);
  }

  /** Reads the sizes of a file and sees that it is a ring. */
  static RingSizes of(Path file, FileChannel channel) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(RingLayout.FIXED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    channel.read(header, 0);
    if (header.hasRemaining() || header.getLong(RingLayout.MAGIC_AT) != RingLayout.MAGIC) {
      throw new RingException("the file " + file + " is no ring; delete it or name another");
    }
    int version = header.getInt(RingLayout.VERSION_AT);
    if (version != RingLayout.VERSION) {
      throw new RingException(
          "the file %s is a ring of version %d, this Galop knows version %d; delete it when all of its records are acknowledged"
              .formatted(file, version, RingLayout.VERSION));
    }
    int capacity = header.getInt(RingLayout.CAPACITY_AT);
    int answers = header.getInt(RingLayout.ANSWERS_CAPACITY_AT);
    boolean sane = Integer.bitCount(capacity) == 1 && answers == RingLayout.ANSWERS_CAPACITY;
    if (!sane || channel.size() != RingLayout.fileBytes(capacity, answers)) {
      throw new RingException(
          "the file " + file + " does not have the size that its header says; delete it");
    }
    return new RingSizes(capacity, header.getInt(RingLayout.MAX_MESSAGE_AT));
  }
}
