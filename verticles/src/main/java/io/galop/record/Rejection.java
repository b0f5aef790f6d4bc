package io.galop.record;

/**
 * A record refused.
 *
 * @param line the line of the input it stood on, from 1; 0 where there are no lines
 * @param reason the stable reason
 * @param detail which field, which rule and what to do, in one sentence
 */
public record Rejection(int line, Reason reason, String detail) {

  /** Whether the same record may be accepted later: nothing is wrong with it. */
  public boolean isTemporary() {
    return reason == Reason.UNAVAILABLE || reason == Reason.OVER_QUOTA;
  }
}
