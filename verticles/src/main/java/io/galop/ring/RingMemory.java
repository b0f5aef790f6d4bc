package io.galop.ring;

import static org.agrona.concurrent.ringbuffer.RecordDescriptor.ALIGNMENT;
import static org.agrona.concurrent.ringbuffer.RecordDescriptor.HEADER_LENGTH;
import static org.agrona.concurrent.ringbuffer.RecordDescriptor.lengthOffset;
import static org.agrona.concurrent.ringbuffer.RecordDescriptor.typeOffset;

import java.nio.file.Path;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** One of the two rings of a file, as Agrona lays it out: messages, then tail and head. */
final class RingMemory {
  private final Path path;
  private final UnsafeBuffer buffer;
  private final int capacity;
  private final int tailAt;
  private final int headAt;

  RingMemory(Path path, UnsafeBuffer buffer) {
    this.path = path;
    this.buffer = buffer;
    this.capacity = buffer.capacity() - RingBufferDescriptor.TRAILER_LENGTH;
    this.tailAt = capacity + RingBufferDescriptor.TAIL_POSITION_OFFSET;
    this.headAt = capacity + RingBufferDescriptor.HEAD_POSITION_OFFSET;
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Agrona's view of it, for the side that writes, or that reads and lets go at once. */
  OneToOneRingBuffer ring() {
    return new OneToOneRingBuffer(buffer);
  }

  long head() {
    return buffer.getLongVolatile(headAt);
  }

  void head(long position) {
    buffer.putLongRelease(headAt, position);
  }

  long tail() {
    return buffer.getLongVolatile(tailAt);
  }

  int index(long position) {
    return (int) position & capacity - 1;
  }

  /**
   * The bytes of the whole message at a position, its header and what it is aligned with counted; 0
   * if there is none yet.
   *
   * @throws RingException if what stands there can be no message
   */
  int lengthAt(long position) throws RingException {
    int index = index(position);
    int length = buffer.getIntVolatile(lengthOffset(index));
    if (length <= 0) {
      return 0;
    }
    int aligned = BitUtil.align(length, ALIGNMENT);
    int room = capacity - index; // the aligned length of a huge one is negative
    if (length < HEADER_LENGTH || length > room || aligned > room) {
      throw new RingException(
          "the ring %s is damaged at position %d: no message can have %d bytes; stop its producer, delete the file and start the node again"
              .formatted(path, position, length));
    }
    return aligned;
  }

  int type(int index) {
    return buffer.getInt(typeOffset(index));
  }

  /** How many bytes of the message at an index are not its header. */
  int bodyLength(int index) {
    return buffer.getInt(lengthOffset(index)) - HEADER_LENGTH;
  }

  /**
   * Sets the tail back to the end of the last whole message: who wrote what follows is dead, and
   * nobody has read it. For the side that writes, before it writes.
   */
  void cutTail() throws RingException {
    long at = head();
    long tail = tail();
    int length = at < tail ? lengthAt(at) : 0;
    while (length > 0) {
      at += length;
      length = at < tail ? lengthAt(at) : 0;
    }
    if (at != tail) {
      buffer.putLong(index(at), 0);
      buffer.putLongRelease(tailAt, at);
    }
  }

  /** Forgets all messages. */
  void empty() {
    buffer.setMemory(capacity, RingBufferDescriptor.TRAILER_LENGTH, (byte) 0);
    buffer.putLong(0, 0);
  }
}
