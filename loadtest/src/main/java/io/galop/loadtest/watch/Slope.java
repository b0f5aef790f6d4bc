package io.galop.loadtest.watch;

import java.util.Arrays;

/** How fast something grows: the median of the slopes of all pairs (Theil and Sen). */
public final class Slope {
  private Slope() {}

  /** Of a column, per second. */
  public static double of(Series series, String column, double from, double to) {
    return of(series.column(Series.SECONDS, from, to), series.column(column, from, to));
  }

  /** Per unit of x; 0 where there are fewer than three points. */
  public static double of(double[] x, double[] y) {
    int points = Math.min(x.length, y.length);
    if (points < 3) {
      return 0;
    }
    double[] slopes = new double[points * (points - 1) / 2];
    int count = 0;
    for (int i = 0; i < points; i++) {
      for (int j = i + 1; j < points; j++) {
        slopes[count++] = (y[j] - y[i]) / (x[j] - x[i]);
      }
    }
    Arrays.sort(slopes);
    return slopes[count / 2];
  }
}
