package io.galop.servers;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals that Java itself cannot send. */
public final class Signal {
  private Signal() {}

  /**
   * Sends one.
   *
   * @param name without its SIG, as in STOP
   */
  public static void send(String name, long pid) {
    try {
      int code = new ProcessBuilder("kill", "-" + name, "" + pid).inheritIO().start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill -" + name + " " + pid + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
