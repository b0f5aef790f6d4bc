package io.galop.config;

import java.util.List;

/** Showing records to browsers. */
public record BroadcastConfig(
    @Doc("Longest topic filter that a browser may register, in bytes.")
        @Default("256")
        @Range(min = 1, max = 4096)
        int maxFilterBytes,
    @Doc("How many filters one connection may register.")
        @Default("100")
        @Range(min = 1, max = 10_000)
        int maxFilters,
    @Doc("Largest message that a browser may send, in bytes.")
        @Default("65536")
        @Range(min = 256, max = 1_048_576)
        int maxMessageBytes,
    @Doc("How many browsers may be connected to this node.")
        @Default("18000")
        @Range(min = 1, max = 10_000_000)
        int maxConnections,
    @Doc(
            "How much may be written to one connection and not yet have left, in bytes; what comes"
                + " then waits in the node's ring.")
        @Default("262144")
        @Range(min = 4096, max = 67_108_864)
        int outboxBytes,
    @Doc(
            "What becomes due for a connection goes out at once while the node is idle. Under load it"
                + " waits for more, to go out in one write: at most so long, in milliseconds. 0"
                + " never waits.")
        @Default("100")
        @Range(min = 0, max = 5000)
        long maxTickMs,
    @Doc("A connection without a message for so long, in milliseconds, is sent a heartbeat.")
        @Default("25000")
        @Range(min = 1000, max = 600_000)
        long heartbeatMs,
    @Doc(
            "A shard whose owner is silent for so long, in milliseconds, is called stale; owners"
                + " give a sign of life every second.")
        @Default("3000")
        @Range(min = 1500, max = 600_000)
        long staleAfterMs,
    @Doc(
            "Origins (https://host[:port]) of pages that may connect besides those from the same"
                + " host; * lets any page connect.")
        @Default("[]")
        List<String> origins,
    @Doc("Whether browsers may register topics that start with $, such as the dead letters.")
        @Default("false")
        boolean showReserved,
    @Doc("For how many topics the node keeps the latest record; the longest unchanged go first.")
        @Default("1000000")
        @Range(min = 1, max = 100_000_000)
        int latestMaxTopics,
    @Doc("The newest records, from which slow and returning browsers read.") RingConfig ring,
    @Doc("Browsers that come back with a Position.") ResumeConfig resume) {
  public BroadcastConfig {
    origins = List.copyOf(origins);
    for (String origin : origins) {
      if (!origin.equals("*") && !origin.matches("https?://[^/\\s]+")) {
        throw new IllegalArgumentException(
            "broadcast.origins must hold * or scheme://host[:port] without a path, not '"
                + origin
                + "'");
      }
    }
  }
}
