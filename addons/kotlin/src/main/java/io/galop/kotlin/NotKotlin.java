package io.galop.kotlin;

/** A text that cannot be compiled; the message is the first error, with its line. */
public final class NotKotlin extends Exception {
  private static final long serialVersionUID = 1L;

  NotKotlin(String message) {
    super(message);
  }
}
