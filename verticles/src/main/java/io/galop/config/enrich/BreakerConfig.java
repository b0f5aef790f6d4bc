package io.galop.config.enrich;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** When a script that wastes the time of its event loop is suspended, and for how long. */
public record BreakerConfig(
    @Doc("Calls over a limit, or slow, before a suspension.")
        @Default("3")
        @Range(min = 1, max = 1_000_000)
        int hits,
    @Doc("The window in which they count.") @Default("60000") @Range(min = 100, max = 86_400_000)
        long withinMs,
    @Doc("CPU time beyond which a call counts as slow.")
        @Default("500")
        @Range(min = 1, max = 60_000)
        long slowCallMs,
    @Doc("First suspension; a hit by the record tried then doubles it.")
        @Default("10000")
        @Range(min = 100, max = 86_400_000)
        long backOffMs,
    @Doc("Longest suspension.") @Default("300000") @Range(min = 100, max = 86_400_000)
        long maxBackOffMs,
    @Doc("Threads that may hang before the script is suspended, and as many of tried versions.")
        @Default("4")
        @Range(min = 1, max = 1_000)
        int maxHangingThreads) {
  public BreakerConfig {
    if (maxBackOffMs < backOffMs) {
      throw new IllegalArgumentException("maxBackOffMs must be at least backOffMs, " + backOffMs);
    }
  }
}
