package io.galop.ingest.simulation;

import io.galop.config.ingest.SimulationConfig;

/**
 * When which race is on. It hangs on the clock alone, so that a node that starts again finds the
 * same races at the same point; the places are staggered, so that one race after another goes off.
 */
record Timetable(long openUs, long runUs, int races) {
  static final long SUSPENDED_US = 5_000_000;
  static final long CLOSED_US = 15_000_000;

  static Timetable of(SimulationConfig config) {
    return new Timetable(
        config.openSeconds() * 1_000_000L, config.runSeconds() * 1_000_000L, config.races());
  }

  private long periodUs() {
    return openUs + SUSPENDED_US + runUs + CLOSED_US;
  }

  private long shiftUs(int place) {
    return periodUs() * place / races;
  }

  /** The running number of the race that is on at a place. */
  long number(int place, long nowUs) {
    return (nowUs - shiftUs(place)) / periodUs();
  }

  /** When betting on a race opens. */
  long opensUs(int place, long number) {
    return number * periodUs() + shiftUs(place);
  }

  /** When a race goes off. */
  long offUs(int place, long number) {
    return opensUs(place, number) + openUs;
  }

  /** When a phase of a race begins. */
  long beginsUs(int place, long number, Phase phase) {
    long off = offUs(place, number);
    return switch (phase) {
      case OPEN -> opensUs(place, number);
      case SUSPENDED -> off;
      case IN_PLAY -> off + SUSPENDED_US;
      case CLOSED -> off + SUSPENDED_US + runUs;
    };
  }
}
