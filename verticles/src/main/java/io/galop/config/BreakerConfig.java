package io.galop.config;

/** When a script that wastes the time of its event loop is suspended, and for how long. */
public record BreakerConfig(
    @Doc("After how many calls that a limit ended, or that were slow, a script is suspended.")
        @Default("3")
        @Range(min = 1, max = 1_000_000)
        int hits,
    @Doc("Within which time they count, in milliseconds.")
        @Default("60000")
        @Range(min = 100, max = 86_400_000)
        long withinMs,
    @Doc(
            "A call that takes more processor time counts too, though its records stand, in"
                + " milliseconds.")
        @Default("500")
        @Range(min = 1, max = 60_000)
        long slowCallMs,
    @Doc(
            "How long it is suspended, in milliseconds: its records become dead letters at once."
                + " Then one record is tried; if that is a hit again, twice as long as before.")
        @Default("10000")
        @Range(min = 100, max = 86_400_000)
        long backOffMs,
    @Doc("How long it is suspended at most, in milliseconds.")
        @Default("300000")
        @Range(min = 100, max = 86_400_000)
        long maxBackOffMs,
    @Doc(
            "How many threads may hang in calls of the script that nothing ends: with so many it is"
                + " suspended until one of them ends after all or another version takes over. As"
                + " many may hang in versions that are tried; then none is, until a restart.")
        @Default("4")
        @Range(min = 1, max = 1_000)
        int maxHangingThreads) {
  public BreakerConfig {
    if (maxBackOffMs < backOffMs) {
      throw new IllegalArgumentException("maxBackOffMs must be at least backOffMs, " + backOffMs);
    }
  }
}
