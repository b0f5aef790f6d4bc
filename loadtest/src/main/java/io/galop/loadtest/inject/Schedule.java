package io.galop.loadtest.inject;

/**
 * When records are due: at even distances from a start.
 *
 * @param first number
 * @param count how many
 * @param startNanos when the first is due, on the clock of {@link System#nanoTime()}
 * @param ratePerSecond how many a second
 */
record Schedule(long first, long count, long startNanos, double ratePerSecond) {
  /** When the record so many after the first is due. */
  long due(long index) {
    return startNanos + (long) (index * 1e9 / ratePerSecond);
  }
}
