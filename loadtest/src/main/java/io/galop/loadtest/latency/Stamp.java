package io.galop.loadtest.latency;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * What a message says about itself: its number, and when it was due to be sent in nanoseconds of
 * this process's clock. It is found by its bytes alone, since decoding JSON for every delivery
 * would make the generator the limit; a quoted and an escaped one look the same.
 */
public final class Stamp {
  private static final byte[] MARK = "galopStamp".getBytes(StandardCharsets.US_ASCII);

  /** Is given every stamp of a frame. */
  public interface Reader {
    void onStamp(long number, long dueNanos);
  }

  private Stamp() {}

  /** A JSON object of so many bytes with a stamp in it, or a little larger if that is too few. */
  public static String data(long number, long dueNanos, int bytes) {
    String start = "{\"galopStamp\":\"" + number + "." + dueNanos + "\",\"padding\":\"";
    return start + "x".repeat(Math.max(0, bytes - start.length() - 2)) + "\"}";
  }

  /** Finds all stamps of a frame, of which merged messages have several. */
  public static void scan(Buffer frame, Reader reader) {
    byte[] bytes = frame.getBytes();
    int at = find(bytes, 0);
    while (at >= 0) {
      int first = skipToDigit(bytes, at + MARK.length);
      int dot = skipDigits(bytes, first);
      int end = skipDigits(bytes, dot + 1);
      reader.onStamp(number(bytes, first, dot), number(bytes, dot + 1, end));
      at = find(bytes, end);
    }
  }

  private static int find(byte[] bytes, int from) {
    for (int i = from; i <= bytes.length - MARK.length; i++) {
      if (bytes[i] == MARK[0] && matches(bytes, i)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean matches(byte[] bytes, int at) {
    for (int i = 1; i < MARK.length; i++) {
      if (bytes[at + i] != MARK[i]) {
        return false;
      }
    }
    return true;
  }

  private static int skipToDigit(byte[] bytes, int from) {
    int i = from;
    while (i < bytes.length && !isDigit(bytes[i])) {
      i++;
    }
    return i;
  }

  private static int skipDigits(byte[] bytes, int from) {
    int i = from;
    while (i < bytes.length && isDigit(bytes[i])) {
      i++;
    }
    return i;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static long number(byte[] bytes, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      number = number * 10 + bytes[i] - '0';
    }
    return number;
  }
}
