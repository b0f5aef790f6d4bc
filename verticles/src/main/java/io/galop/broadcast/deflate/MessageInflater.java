package io.galop.broadcast.deflate;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages that clients have compressed, each by itself (RFC 7692, 7.2.2). For the
 * connections of one event loop, and on that loop.
 */
public final class MessageInflater {
  /** What every compressed message ends with, and is not sent. */
  private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  private static final int PART_BYTES = 8 * 1024;

  private final Inflater inflater = new Inflater(true);
  private final byte[] part = new byte[PART_BYTES];

  MessageInflater() {}

  /**
   * The message; null if it is longer than {@code maxBytes}, of which no more is kept.
   *
   * @param compressed the payloads of all its frames
   * @throws DataFormatException if it is not what a compressor makes
   */
  public byte @Nullable [] inflated(byte[] compressed, int maxBytes) throws DataFormatException {
    byte[] input = Arrays.copyOf(compressed, compressed.length + TAIL.length);
    System.arraycopy(TAIL, 0, input, compressed.length, TAIL.length);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    try {
      inflater.setInput(input);
      for (int count = next(input); count > 0; count = next(input)) {
        if (message.size() + count > maxBytes) {
          return null;
        }
        message.write(part, 0, count);
      }
      return message.toByteArray();
    } finally {
      inflater.reset();
    }
  }

  /** A client may end a block as the last one, and go on with another (RFC 7692, 7.2.3.5). */
  private int next(byte[] input) throws DataFormatException {
    int count = inflater.inflate(part);
    while (count == 0 && inflater.finished() && inflater.getRemaining() > 0) {
      int left = inflater.getRemaining();
      inflater.reset();
      inflater.setInput(input, input.length - left, left);
      count = inflater.inflate(part);
    }
    return count;
  }

  /** Gives back its memory; nothing may be read any more. */
  void end() {
    inflater.end();
  }
}
