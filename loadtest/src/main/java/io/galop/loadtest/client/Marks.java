package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;

/**
 * Finds the stamps of messages by as few bytes as possible: at half a million deliveries a second
 * whatever the load test does to each of them is taken from the server.
 */
final class Marks {
  private static final String WORD = "galopStamp";
  private static final byte RARE = 'S';
  private static final int TAMP = 't' << 24 | 'a' << 16 | 'm' << 8 | 'p';
  private static final int AFTER_RARE = WORD.length() - WORD.indexOf(RARE);

  /** What a message's data has besides padding, at most. */
  private static final int STAMP_BYTES = 80;

  /** Is given each stamp, and what stands between a message's padding and the next stamp. */
  interface Reader {
    void onStamp(long number, long dueNanos);

    default void onBetween(ByteBuf in, int from, int to) {}
  }

  private final int paddingBytes;

  /**
   * @param dataBytes of each message's data
   */
  Marks(int dataBytes) {
    this.paddingBytes = Math.max(0, dataBytes - STAMP_BYTES);
  }

  /** Hands over the stamps between two places of a buffer. */
  void scan(ByteBuf in, int from, int to, Reader reader) {
    int next = from;
    int at = in.indexOf(from, to, RARE);
    while (at >= 0 && at + AFTER_RARE < to) {
      reader.onBetween(in, next, at);
      next = at + 1;
      if (in.getInt(next) == TAMP) {
        next = read(in, at + AFTER_RARE, reader) + paddingBytes;
      }
      at = next < to ? in.indexOf(next, to, RARE) : -1;
    }
    if (next < to) {
      reader.onBetween(in, next, to);
    }
  }

  private static int read(ByteBuf in, int afterWord, Reader reader) {
    int at = afterWord;
    while (!isDigit(in.getByte(at))) {
      at++;
    }
    long number = 0;
    for (byte b = in.getByte(at); isDigit(b); b = in.getByte(++at)) {
      number = number * 10 + b - '0';
    }
    long dueNanos = 0;
    for (byte b = in.getByte(++at); isDigit(b); b = in.getByte(++at)) {
      dueNanos = dueNanos * 10 + b - '0';
    }
    reader.onStamp(number, dueNanos);
    return at;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
