package io.galop.guest;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * What a script or verticle prints, as lines of the log: of bounded length, so many a second. That
 * there are more is said at the first of them, and how many at the next line that is written.
 */
public final class LogLines extends OutputStream {
  private final Logger log;
  private final String before;
  private final int maxLineBytes;
  private final int maxLinesASecond;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long secondBegan = System.nanoTime();
  private int linesThisSecond;
  private long leftOut;

  /**
   * Lines for a log.
   *
   * @param before what each begins with
   */
  public LogLines(Logger log, String before, int maxLineBytes, int maxLinesASecond) {
    this.log = log;
    this.before = before;
    this.maxLineBytes = maxLineBytes;
    this.maxLinesASecond = maxLinesASecond;
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      write(bytes[i]);
    }
  }

  @Override
  public synchronized void write(int b) {
    if (b == '\n') {
      endLine();
    } else if (line.size() < maxLineBytes) {
      line.write(b);
    }
  }

  private void endLine() {
    String text = line.toString(StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    line.reset();
    if (System.nanoTime() - secondBegan > TimeUnit.SECONDS.toNanos(1)) {
      secondBegan = System.nanoTime();
      linesThisSecond = 0;
    }
    linesThisSecond++;
    if (linesThisSecond <= maxLinesASecond) {
      sayLeftOut();
      log.info("{}{}", before, text);
      return;
    }
    leftOut++;
    if (linesThisSecond == maxLinesASecond + 1) {
      log.warn(
          "{}prints more than {} lines a second; others are left out", before, maxLinesASecond);
    }
  }

  private void sayLeftOut() {
    if (leftOut > 0) {
      log.warn("{}{} lines were left out", before, leftOut);
      leftOut = 0;
    }
  }
}
