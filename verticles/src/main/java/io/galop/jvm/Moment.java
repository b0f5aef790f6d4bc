package io.galop.jvm;

import java.util.concurrent.TimeUnit;

/**
 * A moment by two clocks. That of the wall says what time it is, and may be set by hours at any
 * time; so how long something lasts is the difference of two moments by the other, which only goes
 * on.
 *
 * @param wallMs milliseconds since 1970
 * @param steadyMs milliseconds since some moment, which may be negative
 */
public record Moment(long wallMs, long steadyMs) {
  /** This one. */
  public static Moment now() {
    return new Moment(System.currentTimeMillis(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }
}
