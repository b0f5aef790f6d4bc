package io.galop.persist.rollup;

/**
 * The values of one field of a topic in one bucket, as doubles. The sum carries what rounding left
 * (Neumaier), so an average is exact to a double's 15 digits however many values there are, and in
 * whatever order and parts they come.
 */
public final class Cell {
  private double min;
  private double max;
  private double sum;
  private double rest;
  private double last;
  private long count;

  /** Empty. */
  public Cell() {}

  /** What {@link #sum}, {@link #rest} and the others have told. */
  public Cell(long count, double min, double max, double sum, double rest, double last) {
    this.count = count;
    this.min = min;
    this.max = max;
    this.sum = sum;
    this.rest = rest;
    this.last = last;
  }

  /**
   * Adds a value.
   *
   * @param isNewer whether it comes after those before, by time
   */
  public void add(double value, boolean isNewer) {
    if (count == 0 || isNewer) {
      last = value;
    }
    min = count == 0 ? value : Math.min(min, value);
    max = count == 0 ? value : Math.max(max, value);
    addToSum(value);
    count++;
  }

  /**
   * Adds all values of another.
   *
   * @param isNewer whether its last value comes after the one here, by time
   */
  public void add(Cell other, boolean isNewer) {
    if (other.count == 0) {
      return;
    }
    if (count == 0 || isNewer) {
      last = other.last;
    }
    min = count == 0 ? other.min : Math.min(min, other.min);
    max = count == 0 ? other.max : Math.max(max, other.max);
    addToSum(other.sum);
    rest += other.rest;
    count += other.count;
  }

  private void addToSum(double value) {
    double next = sum + value;
    rest += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }

  /** Whether there is no value. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** The sum without what rounding left. */
  public double sum() {
    return sum;
  }

  /** What rounding left of the sum. */
  public double rest() {
    return rest;
  }

  /** May be infinite where the sum is. */
  public double get(Aggregate aggregate) {
    return switch (aggregate) {
      case MIN -> min;
      case MAX -> max;
      case AVG -> (sum + rest) / count;
      case LAST -> last;
      case COUNT -> count;
    };
  }
}
