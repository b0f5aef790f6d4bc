package io.galop.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is read from the buckets is near what was put in. */
@Timeout(180)
class LatencyHistogramTest {
  private static final double[] PARTS = {0.5, 0.9, 0.99, 0.999};
  private static final double MOST_ERROR = 0.1;
  private final LatencyHistogram histogram = new LatencyHistogram();

  /** As Prometheus does it: even within the bucket of the rank. */
  private static double histogramQuantile(long[] counts, double part) {
    double rank = Arrays.stream(counts).sum() * part;
    long[] bounds = LatencyHistogram.boundsUs();
    long seen = 0;
    for (int i = 0; i < bounds.length; i++) {
      if (seen + counts[i] >= rank) {
        double low = i == 0 ? 0 : bounds[i - 1];
        return low + (bounds[i] - low) * (rank - seen) / counts[i];
      }
      seen += counts[i];
    }
    return bounds[bounds.length - 1];
  }

  private void holds(Supplier<Double> us) {
    long[] all = new long[20_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = Math.min(60_000_000, Math.max(100, Math.round(us.get())));
      histogram.record(all[i], 1);
    }
    Arrays.sort(all);
    for (double part : PARTS) {
      long exact = all[(int) Math.ceil(part * all.length) - 1];
      long own = LatencyHistogram.quantileUs(histogram.counts(), part);
      double theirs = histogramQuantile(histogram.counts(), part);
      assertEquals(exact, own, exact * MOST_ERROR, "p" + 100 * part);
      assertEquals(exact, theirs, exact * MOST_ERROR + 1, "p" + 100 * part + " of Prometheus");
    }
  }

  @Test
  void quantilesOfManyDistributionsAreWithinTenPercent() {
    Random random = new Random(5);
    holds(() -> 100 * Math.exp(random.nextDouble() * 13));
  }

  @Test
  void quantilesOfANarrowDistributionAreWithinTenPercent() {
    Random random = new Random(6);
    holds(() -> 3_000 + 40 * random.nextGaussian());
  }

  @Test
  void quantilesOfALongTailAreWithinTenPercent() {
    Random random = new Random(7);
    holds(() -> 800 / Math.pow(1 - random.nextDouble(), 0.7));
  }

  @Test
  void eachValueIsInABucketATenthWide() {
    for (long us = 101; us < 60_000_000; us += 1 + us / 50) {
      LatencyHistogram one = new LatencyHistogram();
      one.record(us, 1);
      assertEquals(us, LatencyHistogram.quantileUs(one.counts(), 0.5), us * MOST_ERROR, us + " µs");
    }
  }

  @Test
  void whatIsTooLongIsCountedBeyondAllBounds() {
    histogram.record(3_000_000_000L, 2);
    long[] counts = histogram.counts();
    assertEquals(2, counts[counts.length - 1]);
    assertTrue(LatencyHistogram.quantileUs(counts, 0.5) >= 60_000_000);
    assertEquals(6_000_000_000L, histogram.sumUs());
  }

  @Test
  void aBatchCountsAsItsRecords() {
    histogram.record(1_000, 99);
    histogram.record(50_000, 1);
    assertEquals(1_000, LatencyHistogram.quantileUs(histogram.counts(), 0.99), 100);
    assertEquals(50_000, LatencyHistogram.quantileUs(histogram.counts(), 0.999), 5_000);
  }

  @Test
  void theLastMinuteForgetsWhatCameBefore() {
    histogram.record(1_000, 5);
    for (int tick = 0; tick < 5; tick++) {
      histogram.tick();
      assertEquals(5, Arrays.stream(histogram.lastMinute()).sum());
    }
    histogram.tick();
    histogram.record(2_000, 3);
    assertEquals(3, Arrays.stream(histogram.lastMinute()).sum());
    assertEquals(8, Arrays.stream(histogram.counts()).sum());
  }

  @Test
  void nothingCountedIsNoTime() {
    assertEquals(0, LatencyHistogram.quantileUs(histogram.counts(), 0.99));
  }
}
