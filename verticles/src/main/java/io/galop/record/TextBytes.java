package io.galop.record;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * Writes text straight as bytes. Strings made of parts, and times made by java.time, are what most
 * of the time goes into where records leave by the hundred thousand a second.
 */
public final class TextBytes {
  private static final int LONGEST_NUMBER = 20;
  private static final int LONGEST_TIME = 40;
  private static final int TEN = 10;
  private static final int LAST_FOUR_DIGIT_YEAR = 9_999;
  private static final long US_PER_SECOND = 1_000_000;
  private static final int US_PER_MS = 1_000;
  private static final int SECONDS_PER_DAY = 86_400;
  private static final int SECONDS_PER_HOUR = 3_600;
  private static final int SECONDS_PER_MINUTE = 60;

  private byte[] bytes;
  private int length;

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
    int digits = 1;
    for (long rest = number; rest >= TEN; rest /= TEN) {
      digits++;
    }
    return digits(number, digits);
  }

  /** So many last digits of a number, zeros in front. */
  private TextBytes digits(long number, int digits) {
    reserve(LONGEST_NUMBER);
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
    reserve(LONGEST_TIME);
    long second = Math.floorDiv(timeUs, US_PER_SECOND);
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(second, SECONDS_PER_DAY));
    if (day.getYear() < 0 || day.getYear() > LAST_FOUR_DIGIT_YEAR) {
      String text = Instant.EPOCH.plus(timeUs, ChronoUnit.MICROS).toString();
      return add(text.getBytes(StandardCharsets.US_ASCII));
    }
    int ofDay = (int) Math.floorMod(second, (long) SECONDS_PER_DAY);
    digits(day.getYear(), 4).add('-').digits(day.getMonthValue(), 2).add('-');
    digits(day.getDayOfMonth(), 2).add('T').digits(ofDay / SECONDS_PER_HOUR, 2).add(':');
    digits(ofDay / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE, 2).add(':');
    return digits(ofDay % SECONDS_PER_MINUTE, 2)
        .fraction((int) Math.floorMod(timeUs, US_PER_SECOND))
        .add('Z');
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
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes, 0, length));
  }

  /** The bytes; nothing may be added afterwards. */
  public byte[] toBytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
