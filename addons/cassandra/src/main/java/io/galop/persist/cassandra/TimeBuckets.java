package io.galop.persist.cassandra;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Stretches of event time, all of the same length; each is named by its beginning. */
final class TimeBuckets {
  private final long lengthMs;

  TimeBuckets(int hours) {
    this.lengthMs = TimeUnit.HOURS.toMillis(hours);
  }

  /** That of an event time. */
  Instant of(long timeUs) {
    long lengthUs = TimeUnit.MILLISECONDS.toMicros(lengthMs);
    return Instant.ofEpochMilli(Math.floorDiv(timeUs, lengthUs) * lengthMs);
  }
}
