package io.galop.client;

/** What becomes of records that the program does not take in time. */
public enum QueuePolicy {
  /** The subscription ends with the reason {@code slow_consumer}. */
  END,
  /** The oldest go, and a gap is told. */
  DROP_OLDEST,
  /**
   * The newest of each topic stays; of more topics than the queue holds the oldest go, and a gap is
   * told.
   */
  LATEST
}
