package io.galop.loadtest.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static Figures run(double p99Ms, double micros) {
    return new Figures(
        "x", 1, 1, p99Ms, 1, 1, 0, 0, 0, Double.NaN, Double.NaN, micros, 1, 1, 0, 1, 1);
  }

  @Test
  void eachFigureHasItsOwnMedian() {
    Figures median = Figures.median(List.of(run(3, 7), run(1, 9), run(2, 8)));
    assertEquals(2, median.p99Ms());
    assertEquals(8, median.serverMicrosPerDelivery());
    assertEquals("x median", median.target());
  }

  @Test
  void whatIsNotKnownIsLeftOutOfJson() {
    assertFalse(run(1, 1).toJson().containsKey("ackP50Ms"));
    assertEquals(1.0, run(1, 1).toJson().getDouble("p99Ms"));
  }
}
