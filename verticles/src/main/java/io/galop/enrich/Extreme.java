package io.galop.enrich;

import java.util.Arrays;

/**
 * The smallest (or largest) value of a sliding window: a queue of the samples that may still become
 * it, best first. Each sample enters and leaves once (Lemire, 2006).
 */
final class Extreme {
  private static final int FIRST_CAPACITY = 4;

  private final int sign;
  private long[] serials = new long[FIRST_CAPACITY];
  private double[] values = new double[FIRST_CAPACITY];
  private int head;
  private int size;

  /**
   * An empty queue.
   *
   * @param sign 1 for the smallest, -1 for the largest
   */
  Extreme(int sign) {
    this.sign = sign;
  }

  void add(long serial, double value) {
    while (size > 0 && sign * Double.compare(values[at(size - 1)], value) >= 0) {
      size--;
    }
    if (size == values.length) {
      grow();
    }
    serials[at(size)] = serial;
    values[at(size)] = value;
    size++;
  }

  void dropBefore(long serial) {
    while (size > 0 && serials[head] < serial) {
      head = at(1);
      size--;
    }
  }

  double value() {
    return values[head];
  }

  private int at(int index) {
    return (head + index) & (values.length - 1);
  }

  private void grow() {
    int old = values.length;
    serials = Arrays.copyOf(serials, 2 * old);
    values = Arrays.copyOf(values, 2 * old);
    System.arraycopy(serials, 0, serials, old, head);
    System.arraycopy(values, 0, values, old, head);
  }
}
