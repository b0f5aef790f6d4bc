package io.galop.groovy;

/** A text that cannot be compiled; the message is the first error, with its line. */
public final class NotGroovy extends Exception {
  private static final long serialVersionUID = 1L;

  NotGroovy(String message) {
    super(message);
  }
}
