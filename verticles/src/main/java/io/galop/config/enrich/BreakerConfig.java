package io.galop.config.enrich;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** When a script that wastes the time of its event loop is suspended, and for how long. */
public record BreakerConfig(
    @Doc("Calls that hit a limit, or were slow, before a script is suspended.")
        @Default("3")
        @Range(min = 1, max = 1_000_000)
        int hits,
    @Doc("The window in which they count.") @Default("60000") @Range(min = 100, max = 86_400_000)
        long withinMs,
    @Doc("A call that takes more CPU time counts too, though its records stand.")
        @Default("500")
        @Range(min = 1, max = 60_000)
        long slowCallMs,
    @Doc(
            "First suspension: the script's records become dead letters at once. "
                + "Then one record is tried; another hit doubles the time.")
        @Default("10000")
        @Range(min = 100, max = 86_400_000)
        long backOffMs,
    @Doc("Longest suspension.") @Default("300000") @Range(min = 100, max = 86_400_000)
        long maxBackOffMs,
    @Doc(
            "Threads that may hang in unstoppable calls of the script. At this "
                + "number Galop suspends it until one ends or another version takes "
                + "over. As many may hang in tried versions; then Galop tries none "
                + "until a restart.")
        @Default("4")
        @Range(min = 1, max = 1_000)
        int maxHangingThreads) {
  public BreakerConfig {
    if (maxBackOffMs < backOffMs) {
      throw new IllegalArgumentException("maxBackOffMs must be at least backOffMs, " + backOffMs);
    }
  }
}
