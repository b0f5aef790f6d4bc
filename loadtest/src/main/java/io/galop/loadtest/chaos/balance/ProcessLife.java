package io.galop.loadtest.chaos.balance;

/**
 * A process of a node, whose counts end with it.
 *
 * @param fromMs when it was started, milliseconds since the epoch
 * @param toMs when it ended; {@link #GOES_ON} if it has not
 */
public record ProcessLife(String node, long fromMs, long toMs) {
  /** Of one that still runs. */
  public static final long GOES_ON = Long.MAX_VALUE;

  boolean goesOn() {
    return toMs == GOES_ON;
  }

  boolean overlaps(long sinceMs, long untilMs) {
    return fromMs < untilMs && toMs > sinceMs;
  }
}
