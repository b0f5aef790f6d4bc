package io.galop.persist.store;

/** Nothing is known of what the store holds until it is opened again. */
public class ReopenException extends Exception {
  private static final long serialVersionUID = 1L;

  public ReopenException(String message, Throwable cause) {
    super(message, cause);
  }

  ReopenException(String message) {
    super(message);
  }
}
