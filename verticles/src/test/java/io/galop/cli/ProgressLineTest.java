package io.galop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long nanos;

  private ProgressLine line(boolean terminal) {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    Terminal console = new Terminal(InputStream.nullInputStream(), stream, stream, terminal);
    return new ProgressLine(console, () -> nanos);
  }

  private String shown() {
    return err.toString(StandardCharsets.UTF_8).replace(Terminal.CLEAR_LINE, "|");
  }

  @Test
  void drawsNowAndThenAndClearsAtTheEnd() {
    ProgressLine line = line(true);
    line.show(() -> "1 %");
    line.show(() -> "2 %");
    nanos += TimeUnit.MILLISECONDS.toNanos(300);
    line.show(() -> "3 %");
    line.end();
    assertEquals("|1 %|3 %|", shown());
  }

  @Test
  void isQuietWhereThereIsNoTerminal() {
    ProgressLine line = line(false);
    line.show(() -> "1 %");
    line.end();
    assertEquals("", shown());
  }
}
