package io.galop.cli.replay;

/**
 * When a record is due: as far after the first one as its event time is, divided by the speed.
 * Records without a time, or with one that lies before, are due at once.
 */
final class Pace {
  private static final double AS_FAST_AS_IT_GOES = 0;
  private final double factor;
  private final Clock clock;
  private long firstTimeUs = Source.NO_TIME;
  private long firstNanos;

  private Pace(double factor, Clock clock) {
    this.factor = factor;
    this.clock = clock;
  }

  /**
   * Reads the option {@code --speed}.
   *
   * @param text {@code max}, or by what the time between two records is divided: 1 is real time
   * @throws IllegalArgumentException if it is neither
   */
  static Pace parse(String text, Clock clock) {
    if (text.equals("max")) {
      return new Pace(AS_FAST_AS_IT_GOES, clock);
    }
    try {
      double factor = Double.parseDouble(text.startsWith("x") ? text.substring(1) : text);
      if (factor > 0 && !Double.isInfinite(factor)) {
        return new Pace(factor, clock);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no speed; expected 'max' or a number above 0, where 1 is real time");
  }

  /** Whether records are sent without regard to their times. */
  boolean isUnpaced() {
    return factor == AS_FAST_AS_IT_GOES;
  }

  /** How long the record of this event time has still to wait, in nanoseconds; 0 or less: due. */
  long nanosUntilDue(long timeUs) {
    if (isUnpaced() || timeUs == Source.NO_TIME) {
      return 0;
    }
    if (firstTimeUs == Source.NO_TIME) {
      firstTimeUs = timeUs;
      firstNanos = clock.nanos();
    }
    double after = (timeUs - firstTimeUs) * 1_000.0 / factor;
    return (long) after - (clock.nanos() - firstNanos);
  }
}
