package io.galop.persist.history;

import java.util.Arrays;

/**
 * So many points of a series that look like the whole on a plot: largest triangle, three buckets
 * (Steinarsson 2013). What is held is bounded: when {@link #HELD} values for each point are there,
 * of every four in a row only the smallest and the largest stay. Pure; on one thread at a time.
 */
final class Triangles {
  /** Values that are held for each point of the answer, at 16 bytes. */
  static final int HELD = 64;

  private static final int FIRST_CAPACITY = 64;
  private static final int GROUP = 4;

  private final int points;
  private long[] times = new long[FIRST_CAPACITY];
  private double[] values = new double[FIRST_CAPACITY];
  private int size;

  /** Of how many values in a row the smallest and the largest are held; 1: of each itself. */
  private long groupValues = 1;

  private long inGroup;
  private double low;
  private long lowUs;
  private long lowAt;
  private double high;
  private long highUs;
  private long highAt;
  private double last;
  private long lastUs;

  /** Empty; at least three points. */
  Triangles(int points) {
    this.points = points;
  }

  /** Adds a value; they come in the order of their times. */
  void add(long timeUs, double value) {
    lastUs = timeUs;
    last = value;
    if (groupValues == 1) {
      hold(timeUs, value);
      return;
    }
    if (inGroup == 0 || value < low) {
      low = value;
      lowUs = timeUs;
      lowAt = inGroup;
    }
    if (inGroup == 0 || value >= high) {
      high = value;
      highUs = timeUs;
      highAt = inGroup;
    }
    if (++inGroup == groupValues) {
      endGroup();
    }
  }

  private void endGroup() {
    boolean isLowFirst = lowAt <= highAt;
    hold(isLowFirst ? lowUs : highUs, isLowFirst ? low : high);
    if (lowAt != highAt) {
      hold(isLowFirst ? highUs : lowUs, isLowFirst ? high : low);
    }
    inGroup = 0;
  }

  private void hold(long timeUs, double value) {
    if (size == HELD * points) {
      reduce();
    }
    if (size == times.length) {
      int capacity = Math.min(HELD * points, 2 * size);
      times = Arrays.copyOf(times, capacity);
      values = Arrays.copyOf(values, capacity);
    }
    times[size] = timeUs;
    values[size++] = value;
  }

  /** Whether more values came than could be held. */
  boolean isReduced() {
    return groupValues > 1;
  }

  /** Halves what is held, and what will be of as much time; the very first stays. */
  private void reduce() {
    groupValues = groupValues == 1 ? GROUP : 2 * groupValues;
    int kept = 1;
    for (int from = 1; from < size; from += GROUP) {
      int end = Math.min(size, from + GROUP);
      int lowest = from;
      int highest = from;
      for (int i = from; i < end; i++) {
        lowest = values[i] < values[lowest] ? i : lowest;
        highest = values[i] >= values[highest] ? i : highest;
      }
      int second = Math.max(lowest, highest);
      kept = keep(Math.min(lowest, highest), kept);
      kept = lowest == highest ? kept : keep(second, kept);
    }
    size = kept;
  }

  private int keep(int from, int to) {
    times[to] = times[from];
    values[to] = values[from];
    return to + 1;
  }

  int size() {
    return size;
  }

  long timeUs(int index) {
    return times[index];
  }

  double value(int index) {
    return values[index];
  }

  /**
   * The indices of the points that stay, in order: all where there are no more than wanted. Nothing
   * may be added afterwards.
   */
  int[] chosen() {
    if (inGroup > 0) {
      endGroup();
    }
    if (size > 0 && times[size - 1] != lastUs) {
      hold(lastUs, last);
    }
    if (size <= points) {
      int[] all = new int[size];
      Arrays.setAll(all, i -> i);
      return all;
    }
    int[] chosen = new int[points];
    double width = (double) (size - 2) / (points - 2);
    for (int bucket = 0; bucket < points - 2; bucket++) {
      int from = 1 + (int) (bucket * width);
      int to = 1 + (int) ((bucket + 1) * width);
      int next = Math.min(size, 1 + (int) ((bucket + 2) * width));
      chosen[bucket + 1] = largest(chosen[bucket], from, to, next);
    }
    chosen[points - 1] = size - 1;
    return chosen;
  }

  /** Of some points the one that spans the most with the one before and the mean of the next. */
  private int largest(int before, int from, int to, int next) {
    double meanTime = 0;
    double meanValue = 0;
    int end = Math.max(next, to + 1);
    for (int i = to; i < end; i++) {
      meanTime += (double) (times[i] - times[before]) / (end - to);
      meanValue += values[i] / (end - to);
    }
    int best = from;
    double largest = -1;
    for (int i = from; i < to; i++) {
      double area =
          Math.abs(
              meanTime * (values[i] - values[before])
                  - (double) (times[i] - times[before]) * (meanValue - values[before]));
      if (area > largest) {
        largest = area;
        best = i;
      }
    }
    return best;
  }
}
