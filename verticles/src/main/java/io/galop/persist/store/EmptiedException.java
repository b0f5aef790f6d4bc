package io.galop.persist.store;

/** The store does not hold any more what it held: it is opened and filled again. */
public final class EmptiedException extends ReopenException {
  private static final long serialVersionUID = 1L;

  public EmptiedException(String message) {
    super(message);
  }
}
