package io.galop.cli;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A line of the terminal that shows how far long work is; nothing where there is no terminal. */
public final class ProgressLine {
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private final Terminal console;
  private final LongSupplier nanos;
  private long shownNanos;
  private boolean shown;

  /**
   * @param nanos the time
   */
  public ProgressLine(Terminal console, LongSupplier nanos) {
    this.console = console;
    this.nanos = nanos;
    this.shownNanos = nanos.getAsLong() - EVERY_NANOS;
  }

  /** Draws the line again if it is time to. */
  public void show(Supplier<String> text) {
    if (!console.terminal() || nanos.getAsLong() - shownNanos < EVERY_NANOS) {
      return;
    }
    shownNanos = nanos.getAsLong();
    shown = true;
    console.err().print(Terminal.CLEAR_LINE + text.get());
    console.err().flush();
  }

  /** Clears the line away. */
  public void end() {
    if (shown) {
      console.err().print(Terminal.CLEAR_LINE);
      console.err().flush();
    }
  }
}
