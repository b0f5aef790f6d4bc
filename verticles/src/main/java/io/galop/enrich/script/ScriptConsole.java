package io.galop.enrich.script;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a script's console.log goes: to the log, in lines of bounded length, so many a second; what
 * is beyond is counted and said at the next line.
 */
public final class ScriptConsole extends OutputStream {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptConsole.class);
  private static final int MAX_LINE_BYTES = 400;
  private static final int MAX_LINES_A_SECOND = 20;

  private final String script;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long secondBegan = System.nanoTime();
  private int linesThisSecond;
  private long swallowed;

  /**
   * A console.
   *
   * @param script for the lines
   */
  public ScriptConsole(String script) {
    this.script = script;
  }

  @Override
  public void write(int b) {
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
    if (++linesThisSecond > MAX_LINES_A_SECOND) {
      swallowed++;
      return;
    }
    if (swallowed > 0) {
      LOG.warn("{} wrote {} lines more than fit into the log", script, swallowed);
      swallowed = 0;
    }
    LOG.info("{}: {}", script, text);
  }
}
