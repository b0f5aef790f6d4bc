package io.galop.ingest.parse;

import java.util.Arrays;

/**
 * Cuts bytes that come in pieces into lines. Holds what a piece ends with until the line is whole,
 * up to a bound; a longer line is passed over without being held.
 */
public final class LineSplitter {
  /** What becomes of the lines. */
  public interface Lines {
    /** A line without its line feed; the bytes may change after the call. */
    void onLine(byte[] bytes, int from, int to);

    /** A line that is longer than allowed. */
    void onLongLine();
  }

  private final int maxLineBytes;
  private final Lines lines;
  private byte[] held = new byte[256];
  private int heldBytes;
  private boolean tooLong;

  public LineSplitter(int maxLineBytes, Lines lines) {
    this.maxLineBytes = maxLineBytes;
    this.lines = lines;
  }

  /** Takes the next piece. */
  public void take(byte[] bytes, int from, int to) {
    int start = from;
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n') {
        line(bytes, start, i);
        start = i + 1;
      }
    }
    hold(bytes, start, to);
  }

  /** How many bytes of a line are held that is not whole. */
  public int heldBytes() {
    return heldBytes;
  }

  /** Whether a line has begun that is not whole, held or passed over. */
  public boolean isInLine() {
    return heldBytes > 0 || tooLong;
  }

  /** Takes what is left as the last line, if there is anything. */
  public void end() {
    if (heldBytes > 0 || tooLong) {
      line(held, 0, 0);
    }
  }

  private void line(byte[] bytes, int from, int to) {
    if (heldBytes == 0 && !tooLong && to - from <= maxLineBytes) {
      lines.onLine(bytes, from, to);
      return;
    }
    hold(bytes, from, to);
    boolean skip = tooLong;
    int length = heldBytes;
    tooLong = false;
    heldBytes = 0;
    if (skip) {
      lines.onLongLine();
    } else {
      lines.onLine(held, 0, length);
    }
  }

  private void hold(byte[] bytes, int from, int to) {
    int length = to - from;
    if (tooLong || heldBytes + length > maxLineBytes) {
      tooLong = true;
      heldBytes = 0;
      return;
    }
    if (heldBytes + length > held.length) {
      held = Arrays.copyOf(held, Math.max(heldBytes + length, held.length * 2));
    }
    System.arraycopy(bytes, from, held, heldBytes, length);
    heldBytes += length;
  }
}
