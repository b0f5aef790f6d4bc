package io.galop.enrich;

/**
 * The latest samples of a topic and their figures, in amortised constant time. Samples leave in the
 * order they came: by number, and once the newest event time is further ahead than the window is
 * wide. A sample that is already too old when it comes is not taken.
 */
final class SlidingWindow {
  private static final int FIRST_CAPACITY = 8;

  private final long widthUs;
  private final int maxSamples;
  private final Extreme min = new Extreme(1);
  private final Extreme max = new Extreme(-1);
  private final RunningSum sum = new RunningSum();
  private long[] timesUs = new long[FIRST_CAPACITY];
  private double[] values = new double[FIRST_CAPACITY];

  /** Serial numbers of the first sample held and of the next to come; both only grow. */
  private long first;

  private long next;

  private long newestUs = Long.MIN_VALUE;
  private int leftSinceSummed;
  private double change;
  private long changedUs = Long.MIN_VALUE;

  /**
   * An empty window.
   *
   * @param widthUs 0 for any time
   */
  SlidingWindow(long widthUs, int maxSamples) {
    this.widthUs = widthUs;
    this.maxSamples = maxSamples;
  }

  /**
   * Takes a sample.
   *
   * @return false if it is older than the window reaches
   */
  boolean add(long timeUs, double value) {
    return add(timeUs, value, timeUs);
  }

  /**
   * The same for one whose own time is not believed.
   *
   * @param timeUs what it counts as
   * @param ownUs what a change of the value is said to have
   */
  boolean add(long timeUs, double value, long ownUs) {
    newestUs = Math.max(newestUs, timeUs);
    if (isTooOld(timeUs)) {
      return false;
    }
    noteChange(ownUs, value);
    dropTooOld();
    if (next - first == values.length) {
      grow();
    }
    int slot = slot(next);
    timesUs[slot] = timeUs;
    values[slot] = value;
    sum.add(value);
    min.add(next, value);
    max.add(next, value);
    next++;
    return true;
  }

  private boolean isTooOld(long timeUs) {
    return widthUs > 0 && timeUs <= newestUs - widthUs;
  }

  private void noteChange(long timeUs, double value) {
    double previous = next > 0 ? values[slot(next - 1)] : value;
    if (previous != value) {
      change = value - previous;
      changedUs = timeUs;
    }
  }

  private void dropTooOld() {
    while (first < next && (next - first >= maxSamples || isTooOld(timesUs[slot(first)]))) {
      sum.add(-values[slot(first)]);
      first++;
      leftSinceSummed++;
    }
    min.dropBefore(first);
    max.dropBefore(first);
    if (leftSinceSummed > next - first) {
      sumAnew();
    }
  }

  /** What rounding has left in the sum goes at the latest when every sample has been replaced. */
  private void sumAnew() {
    leftSinceSummed = 0;
    sum.clear();
    for (long i = first; i < next; i++) {
      sum.add(values[slot(i)]);
    }
  }

  private int slot(long serial) {
    return (int) (serial & (values.length - 1));
  }

  private void grow() {
    long[] moreTimes = new long[timesUs.length * 2];
    double[] moreValues = new double[values.length * 2];
    for (long i = first; i < next; i++) {
      int to = (int) (i & (moreValues.length - 1));
      moreTimes[to] = timesUs[slot(i)];
      moreValues[to] = values[slot(i)];
    }
    timesUs = moreTimes;
    values = moreValues;
  }

  int count() {
    return (int) (next - first);
  }

  double min() {
    return min.value();
  }

  double max() {
    return max.value();
  }

  double mean() {
    return sum.value() / count();
  }

  /** The largest absolute value. */
  double magnitude() {
    return Math.max(Math.abs(min()), Math.abs(max()));
  }

  /** Whether two values that followed each other were different, ever. */
  boolean hasChanged() {
    return changedUs != Long.MIN_VALUE;
  }

  /** By how much the value differed from the one before when it changed last. */
  double change() {
    return change;
  }

  /** The event time of the last change. */
  long changedUs() {
    return changedUs;
  }
}
