package io.galop.client;

/**
 * How far a subscription's records can be believed.
 *
 * @param reason a stable word, or empty; see {@link State}
 * @param message a sentence for people, or empty
 * @param code the number of a disconnect or of an HTTP status, or 0
 */
public record Status(State state, String reason, String message, int code) {
  /** What may be said of it. */
  public enum State {
    /** A snapshot, or what was missed, is on its way. */
    JOINING,
    /** What is shown is what is so. */
    LIVE,
    /** Values may be old, by reason {@code connection} (lost) or {@code feed} (behind the node). */
    STALE,
    /**
     * Records were missed, by reason {@code lost} (a snapshot follows), {@code slow_consumer} (the
     * queue was full) or {@code partial} (a snapshot may lack topics that have not changed for
     * long).
     */
    GAP,
    /** It is over; the reason is empty if that was the program's own wish. */
    CLOSED
  }

  static Status of(State state, String reason) {
    return new Status(state, reason, "", 0);
  }
}
