package io.galop.loadtest.scenario;

/** What is measured, and with which numbers. Its record's keys are those of its kind in a file. */
public interface MeasurePlan {
  /** Whether it compares several that it starts itself, so that one that runs is of no use. */
  default boolean needsStart() {
    return false;
  }
}
