package io.galop.extend;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/** What a script prints, as lines of the log: of bounded length, so many a second. */
final class LogLines extends OutputStream {
  private static final int MAX_LINE_BYTES = 1_000;
  private static final int MAX_LINES_A_SECOND = 50;

  private final Logger log;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long secondBegan = System.nanoTime();
  private int linesThisSecond;

  LogLines(Logger log) {
    this.log = log;
  }

  @Override
  public synchronized void write(int b) {
    if (b == '\n') {
      endLine();
    } else if (line.size() < MAX_LINE_BYTES) {
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
    if (linesThisSecond <= MAX_LINES_A_SECOND) {
      log.info("{}", text);
    } else if (linesThisSecond == MAX_LINES_A_SECOND + 1) {
      log.warn("prints more than {} lines a second; the others are left out", MAX_LINES_A_SECOND);
    }
  }
}
