package io.galop.persist.history;

/**
 * The values of one field of a topic in one bucket, as doubles. The sum carries what rounding left
 * (Neumaier), so an average is exact to a double's 15 digits however many values there are.
 */
final class Cell {
  private double min;
  private double max;
  private double sum;
  private double rest;
  private double last;
  private long count;

  /**
   * Adds a value.
   *
   * @param isNewer whether it comes after those before, by time
   */
  void add(double value, boolean isNewer) {
    if (count == 0 || isNewer) {
      last = value;
    }
    min = count == 0 ? value : Math.min(min, value);
    max = count == 0 ? value : Math.max(max, value);
    double next = sum + value;
    rest += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
    count++;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** May be infinite where the sum is. */
  double get(Aggregate aggregate) {
    return switch (aggregate) {
      case MIN -> min;
      case MAX -> max;
      case AVG -> (sum + rest) / count;
      case LAST -> last;
      case COUNT -> count;
    };
  }
}
