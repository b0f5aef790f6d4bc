package io.galop.loadtest.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a node says of itself is summed by name and label. */
class NodeMetricsTest {
  @Test
  void sumsByNameAndLabel() {
    NodeMetrics metrics =
        NodeMetrics.parse(
            """
            # HELP a words
            a{sink="x",b="1"} 2.0
            a{sink="y",b="1"} 3.5
            ab 100
            a_bucket{le="1"} 7
            """);
    assertEquals(5.5, metrics.sum("a"));
    assertEquals(3.5, metrics.sum("a", "sink=\"y\""));
    assertEquals(0, metrics.sum("a_bucket"));
    assertEquals(Set.of("x", "y"), metrics.labels("a", "sink"));
  }
}
