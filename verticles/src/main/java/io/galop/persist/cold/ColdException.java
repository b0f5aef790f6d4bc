package io.galop.persist.cold;

/** The store could not do it now; another attempt may succeed. */
public final class ColdException extends Exception {
  private static final long serialVersionUID = 1L;

  public ColdException(String message, Throwable cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
