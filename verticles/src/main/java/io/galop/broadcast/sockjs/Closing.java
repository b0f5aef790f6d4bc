package io.galop.broadcast.sockjs;

/** An ending without last words. */
public record Closing(int code, String reason) implements Ending {
  /** The connection that was waiting for frames broke. */
  public static final Ending INTERRUPTED = new Closing(1002, "Connection interrupted");

  /** Only one request may wait for the frames of a session. */
  public static final Ending ANOTHER_OPEN = new Closing(2010, "Another connection still open");

  private static final Frame[] NONE = {};

  @Override
  public Frame[] lastWords() {
    return NONE;
  }
}
