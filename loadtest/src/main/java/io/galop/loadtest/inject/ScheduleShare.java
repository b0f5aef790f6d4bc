package io.galop.loadtest.inject;

/**
 * Records of a schedule that one connection sends at once.
 *
 * @param index of the first in the schedule
 * @param count of records
 * @param stride from one index to the next
 */
record ScheduleShare(Schedule schedule, long index, int count, int stride) {
  /** The number of the i-th. */
  long number(int i) {
    return schedule.first() + index(i);
  }

  /** When the i-th is due, on the clock of {@link System#nanoTime()}. */
  long dueNanos(int i) {
    return schedule.due(index(i));
  }

  private long index(int i) {
    return index + (long) i * stride;
  }
}
