package io.galop.json;

import io.galop.vertx.Buffers;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes text straight as bytes. Strings made of parts, and times made by java.time, are what most
 * of the time goes into where records leave by the hundred thousand a second.
 */
public final class TextBytes {
  private static final int TEN = 10;
  private static final long US_PER_SECOND = 1_000_000;
  private static final int US_PER_MS = 1_000;

  /** Times that are written come in order, mostly, and many of them in the same second. */
  private static volatile Second lastSecond = new Second(0, second(0));

  private byte[] bytes;
  private int length;

  /** A second since the epoch, and its text without the Z at the end. */
  private record Second(long second, byte[] text) {}

  /** Empty, with room for so many bytes; it grows. */
  public TextBytes(int expected) {
    this.bytes = new byte[expected];
  }

  /** Bytes as they are. */
  public TextBytes add(byte[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
    return this;
  }

  /** A part of some bytes. */
  public TextBytes add(byte[] from, int begin, int end) {
    reserve(end - begin);
    System.arraycopy(from, begin, bytes, length, end - begin);
    length += end - begin;
    return this;
  }

  /** An ASCII character. */
  public TextBytes add(char ascii) {
    reserve(1);
    bytes[length++] = (byte) ascii;
    return this;
  }

  /** A number in decimal. */
  public TextBytes add(long number) {
    if (number < 0) {
      return add(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }
    return digits(number, lengthOf(number));
  }

  /** How many bytes {@link #add(long)} adds. */
  public static int lengthOf(long number) {
    if (number < 0) {
      return Long.toString(number).length();
    }
    int digits = 1;
    for (long rest = number; rest >= TEN; rest /= TEN) {
      digits++;
    }
    return digits;
  }

  /** So many last digits of a number, zeros in front. */
  private TextBytes digits(long number, int digits) {
    reserve(digits);
    long rest = number;
    for (int at = length + digits - 1; at >= length; at--) {
      bytes[at] = (byte) ('0' + rest % TEN);
      rest /= TEN;
    }
    length += digits;
    return this;
  }

  /** A time as {@link Instant#toString} has it. */
  public TextBytes time(long timeUs) {
    long second = Math.floorDiv(timeUs, US_PER_SECOND);
    Second known = lastSecond;
    if (known.second != second) {
      known = new Second(second, second(second));
      lastSecond = known;
    }
    return add(known.text).fraction((int) Math.floorMod(timeUs, US_PER_SECOND)).add('Z');
  }

  private static byte[] second(long second) {
    String text = Instant.ofEpochSecond(second).toString();
    return text.substring(0, text.length() - 1).getBytes(StandardCharsets.US_ASCII);
  }

  private TextBytes fraction(int us) {
    if (us == 0) {
      return this;
    }
    return us % US_PER_MS == 0 ? add('.').digits(us / US_PER_MS, 3) : add('.').digits(us, 6);
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  /** How many bytes there are. */
  public int length() {
    return length;
  }

  /** The bytes themselves, not a copy: nothing may be added afterwards. */
  public Buffer toBuffer() {
    return Buffers.of(Unpooled.wrappedBuffer(bytes, 0, length));
  }

  /** The bytes; nothing may be added afterwards. */
  public byte[] toBytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
