package io.galop.loadtest.watch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesTest {
  @Test
  void runsOneAfterTheOtherHaveAGapBetweenThem() {
    Series first = new Series();
    first.add(Map.of(Series.SECONDS, 0.5, "sent", 7.0));
    Series second = new Series();
    second.add(Map.of(Series.SECONDS, 0.5, "sent", 9.0, "seen", 1.0));
    Series all = new Series();
    all.append(first, 0);
    all.append(second, 20);
    double gap = Double.NaN;
    assertArrayEquals(new double[] {0, 0.5, 20, 20.5}, all.column(Series.SECONDS));
    assertArrayEquals(new double[] {gap, 7, gap, 9}, all.column("sent"));
    assertArrayEquals(new double[] {gap, gap, gap, 1}, all.column("seen"));
  }
}
