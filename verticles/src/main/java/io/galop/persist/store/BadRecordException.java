package io.galop.persist.store;

/**
 * The store is well and says that a record of the batch is bad: too large for it, or against a rule
 * of its tables. Never for a store that is slow, full, away or busy.
 */
public final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  public BadRecordException(String why, Throwable cause) {
    super(why, cause);
  }
}
