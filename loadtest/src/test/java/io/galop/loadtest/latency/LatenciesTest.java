package io.galop.loadtest.latency;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void unchangedIsAFifthOrTwentyMillisecondsMore() {
    assertTrue(Latencies.isUnchanged(10, 30));
    assertFalse(Latencies.isUnchanged(10, 31));
    assertTrue(Latencies.isUnchanged(1_000, 1_200));
    assertFalse(Latencies.isUnchanged(1_000, 1_201));
  }
}
