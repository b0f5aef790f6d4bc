package io.galop.config;

/** The Log, the RAM tier and the stores. */
public record PersistConfig(
    @Doc("When a record counts as acknowledged.") @Default("disk") Ack ack,
    @Doc(
            "How many ids each shard remembers to recognise a record that is sent again; 24 to 32"
                + " bytes each.")
        @Default("65536")
        @Range(min = 64, max = 67_108_864)
        int rememberedIds,
    @Doc(
            "Of how many topics each shard keeps the latest record at hand, for browsers that ask"
                + " for a snapshot; beyond it the topic that has not changed for longest goes.")
        @Default("16384")
        @Range(min = 1, max = 16_777_216)
        int latestTopics,
    @Doc(
            "How long a new owner of a shard waits for the one before to hand it over, in"
                + " milliseconds.")
        @Default("3000")
        @Range(min = 100, max = 60_000)
        long takeoverTimeoutMs,
    @Doc("The journal that makes a record durable.") LogConfig log,
    @Doc("The newest records, in memory.") RamConfig ram,
    @Doc("The embedded store.") ColdConfig cold,
    @Doc("The way to the broadcast nodes.") FeedConfig feed,
    @Doc("Questions about the past.") HistoryConfig history) {

  /** When a record counts as acknowledged. */
  public enum Ack {
    /** After the owner's Log has it on disk. */
    DISK,
    /** As soon as the owner's RAM tier has it: lost with the owner's process. */
    MEMORY
  }
}
