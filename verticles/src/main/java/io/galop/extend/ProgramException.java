package io.galop.extend;

/** A verticle that cannot be loaded or started; the message is one sentence for its author. */
public final class ProgramException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ProgramException(String message) {
    super(message, null, false, false);
  }
}
