package io.galop.persist.store;

import org.jspecify.annotations.Nullable;

/**
 * The store is well and says that a record of the batch is bad: too large for it, or against a rule
 * of its tables. Never for a store that is slow, full, away or busy.
 */
public final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * A record is bad.
   *
   * @param cause what the store has thrown; null where it was not asked
   */
  public BadRecordException(String why, @Nullable Throwable cause) {
    super(why, cause);
  }
}
