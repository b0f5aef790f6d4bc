package io.galop.loadtest.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** One outlier does not make a slope. */
class SlopeTest {
  @Test
  void findsTheSlopeAmongOutliers() {
    double[] x = {0, 1, 2, 3, 4, 5};
    assertEquals(10, Slope.of(x, new double[] {0, 10, 20, 30, 40, 50}));
    assertEquals(0, Slope.of(x, new double[] {1, 1, 900, 1, 1, 1}));
    assertEquals(0, Slope.of(new double[] {1}, new double[] {5}));
  }
}
