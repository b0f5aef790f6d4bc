package io.galop.ingest.tcp;

/** Why a connection of the tcp door cannot go on, in a sentence for the sender. */
public final class TcpFailure extends Exception {
  private static final long serialVersionUID = 1L;
  private final int lines;

  /**
   * The connection ends.
   *
   * @param lines how many lines of what was being read were good
   */
  TcpFailure(String message, int lines) {
    super(message, null, false, false);
    this.lines = lines;
  }

  int lines() {
    return lines;
  }
}
