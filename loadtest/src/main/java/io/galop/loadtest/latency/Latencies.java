package io.galop.loadtest.latency;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Histograms of nanoseconds, from 1 µs to 10 minutes with three digits. */
public final class Latencies {
  private static final long LOWEST = 1_000;
  private static final long HIGHEST = TimeUnit.MINUTES.toNanos(10);

  private static final double UNCHANGED_FACTOR = 1.2;
  private static final double UNCHANGED_MS = 20;

  private Latencies() {}

  public static Histogram histogram() {
    return new Histogram(LOWEST, HIGHEST, 3);
  }

  public static void record(Histogram histogram, long nanos) {
    histogram.recordValue(Math.max(0, Math.min(HIGHEST, nanos)));
  }

  /** A percentile in milliseconds. */
  public static double ms(Histogram histogram, double percentile) {
    return histogram.getTotalCount() == 0
        ? Double.NaN
        : histogram.getValueAtPercentile(percentile) / 1e6;
  }

  /** Whether a latency is what it was: within a fifth or 20 ms, whichever is more. */
  public static boolean isUnchanged(double beforeMs, double duringMs) {
    return duringMs <= Math.max(UNCHANGED_FACTOR * beforeMs, beforeMs + UNCHANGED_MS);
  }
}
