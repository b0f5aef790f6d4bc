package io.galop.config;

/** The way of records from the owners of shards to the broadcast nodes. */
public record FeedConfig(
    @Doc(
            "How much may be under way to one broadcast node without its reply, for each event"
                + " loop, in bytes. Beyond it nothing is queued: the node is sent the rest from the"
                + " RAM tier as it replies.")
        @Default("4194304")
        @Range(min = 65_536, max = 268_435_456)
        int creditBytes) {}
