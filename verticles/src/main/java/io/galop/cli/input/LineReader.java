package io.galop.cli.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines as bytes, none longer than a limit, so that a file without line ends costs no memory.
 * Lines end with LF or CR LF, the last one also with the end of the input.
 */
public final class LineReader implements AutoCloseable {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private final int maxBytes;
  private final byte[] buffer = new byte[64 * 1024];
  private int at;
  private int end;
  private long number;
  private long bytesRead;
  private boolean cut;

  public LineReader(InputStream in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
  }

  /**
   * The next line without its end, or an empty array of its own for one that is too long: {@link
   * #isCut} tells.
   *
   * @return null at the end of the input
   */
  public byte @Nullable [] next() throws IOException {
    byte[] line = new byte[0];
    cut = false;
    if (at == end && !fill()) {
      return null;
    }
    number++;
    do {
      int stop = indexOfLineEnd();
      line = append(line, stop);
      at = stop;
      if (stop < end) {
        at++;
        return finished(line);
      }
    } while (fill());
    return finished(line);
  }

  private byte[] append(byte[] line, int stop) {
    int more = stop - at;
    if (cut || line.length + more > maxBytes + 1) {
      cut = true;
      return new byte[0];
    }
    byte[] joined = Arrays.copyOf(line, line.length + more);
    System.arraycopy(buffer, at, joined, line.length, more);
    return joined;
  }

  private byte[] finished(byte[] line) {
    boolean carriageReturn = line.length > 0 && line[line.length - 1] == '\r';
    int from = number == 1 && isMarked(line) ? BYTE_ORDER_MARK.length : 0;
    byte[] whole = Arrays.copyOfRange(line, from, line.length - (carriageReturn ? 1 : 0));
    cut = cut || whole.length > maxBytes;
    return cut ? new byte[0] : whole;
  }

  /** Programs of Windows write a byte order mark before UTF-8, which is no part of the text. */
  private static boolean isMarked(byte[] line) {
    int length = BYTE_ORDER_MARK.length;
    return line.length >= length && Arrays.equals(line, 0, length, BYTE_ORDER_MARK, 0, length);
  }

  private int indexOfLineEnd() {
    int i = at;
    while (i < end && buffer[i] != '\n') {
      i++;
    }
    return i;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    bytesRead += end;
    return end > 0;
  }

  /** Whether another byte can be had without waiting for it. */
  public boolean ready() throws IOException {
    return at < end || in.available() > 0;
  }

  /** The number of the last line read, from 1. */
  public long number() {
    return number;
  }

  /** Whether the last line was longer than the limit, and so was left out. */
  public boolean isCut() {
    return cut;
  }

  /** How far in the input the next line begins, in bytes. */
  public long offset() {
    return bytesRead - (end - at);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
