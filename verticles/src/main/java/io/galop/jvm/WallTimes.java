package io.galop.jvm;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * Turns moments of {@link System#nanoTime} into times of day, by the clock of the wall as it is
 * now: so they stay in their order, whatever that clock was set to between them. It is read before
 * and after the other, since a thread may be held up between the two.
 *
 * @param beforeUs microseconds since 1970, not after {@code nanos}
 * @param afterUs microseconds since 1970, not before {@code nanos}
 */
public record WallTimes(long beforeUs, long nanos, long afterUs) {
  private static final long US_PER_MS = TimeUnit.MILLISECONDS.toMicros(1);
  private static final long NANOS_PER_US = TimeUnit.MICROSECONDS.toNanos(1);

  /** By the clocks as they are now. */
  public static WallTimes now() {
    long beforeUs = wallUs();
    long nanos = System.nanoTime();
    return new WallTimes(beforeUs, nanos, wallUs() + 1);
  }

  private static long wallUs() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** The last millisecond since 1970 that is not after a moment. */
  public long msNotAfter(long moment) {
    long agoUs = -Math.floorDiv(moment - nanos, NANOS_PER_US);
    return Math.floorDiv(beforeUs - agoUs, US_PER_MS);
  }

  /** The first millisecond since 1970 that is not before a moment. */
  public long msNotBefore(long moment) {
    long agoUs = Math.floorDiv(nanos - moment, NANOS_PER_US);
    return -Math.floorDiv(agoUs - afterUs, US_PER_MS);
  }
}
