package io.galop.ingest.tcp;

import java.util.Arrays;

/** Cuts bytes that come in pieces into messages that are preceded by their length as a varint. */
final class MessageSplitter {
  private static final int LONGEST_PREFIX = 5;
  private final int maxBytes;
  private byte[] held = {};
  private int start;
  private int end;
  private int from;
  private int to;

  MessageSplitter(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes the next piece, after {@link #next} has found no more messages. */
  void add(byte[] bytes) {
    if (start == end) {
      held = bytes;
      start = 0;
      end = bytes.length;
      return;
    }
    int left = end - start;
    if (left + bytes.length > held.length) {
      held = Arrays.copyOfRange(held, start, start + Math.max(left + bytes.length, left * 2));
    } else {
      System.arraycopy(held, start, held, 0, left);
    }
    System.arraycopy(bytes, 0, held, left, bytes.length);
    start = 0;
    end = left + bytes.length;
  }

  /**
   * Whether there is a whole message; then it is {@code bytes()[from(), to())}.
   *
   * @param lines how many lines were read before, for the failure
   * @throws TcpFailure if the next one is too large, or its length is none
   */
  boolean next(int lines) throws TcpFailure {
    long length = 0;
    int at = start;
    byte b = -1;
    while (b < 0 && at < end && at - start < LONGEST_PREFIX) {
      b = held[at];
      length |= (b & 0x7fL) << 7 * (at++ - start);
    }
    if (b < 0 && at - start < LONGEST_PREFIX) {
      return false;
    }
    if (b < 0 || length > maxBytes) {
      throw new TcpFailure(
          "a message is larger than the "
              + maxBytes
              + " bytes of ingest.tcp.maxMessageBytes, or its length is no varint; send smaller"
              + " Batches",
          lines);
    }
    if (end - at < length) {
      return false;
    }
    from = at;
    to = at + (int) length;
    start = to;
    return true;
  }

  /** How many bytes of a message are held that is not whole. */
  int heldBytes() {
    return end - start;
  }

  byte[] bytes() {
    return held;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }
}
