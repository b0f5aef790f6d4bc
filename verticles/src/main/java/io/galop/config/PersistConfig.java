package io.galop.config;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The Log, the RAM tier and the stores. */
public record PersistConfig(
    @Doc("When a record counts as acknowledged.") @Default("disk") Ack ack,
    @Doc(
            "How many ids each shard remembers to recognise a record that is sent again; 24 to 32"
                + " bytes each.")
        @Share(part = 32, each = 512, atMost = 65_536)
        @Range(min = 64, max = 67_108_864)
        int rememberedIds,
    @Doc(
            "Of how many topics each shard keeps the latest record at hand, for browsers that ask"
                + " for a snapshot; beyond it the topic that has not changed for longest goes.")
        @Default("16384")
        @Range(min = 1, max = 16_777_216)
        int latestTopics,
    @Doc(
            "How many bytes these records may take, all shards of the node together; beyond it the"
                + " topic that has not changed for longest goes.")
        @Share(part = 16, atMost = 1_073_741_824)
        @Range(min = 65_536, max = 1_099_511_627_776L)
        long latestBytes,
    @Doc(
            "How much of its Log a node that starts reads for the last values of topics, in bytes,"
                + " at least what fills the RAM tier. Snapshots with topics that may not have"
                + " changed since then are called partial.")
        @Default("1073741824")
        @Range(min = 0, max = 1_099_511_627_776L)
        long latestLogBytes,
    @Doc(
            "How long a new owner of a shard waits for the one before to hand it over, in"
                + " milliseconds.")
        @Default("3000")
        @Range(min = 100, max = 60_000)
        long takeoverTimeoutMs,
    @Doc(
            "When an event loop of the node is late by more, in milliseconds, its stores give way"
                + " to the live feed: each batch waits until none is, at most for nine times as"
                + " long as the one before took and 2 s, and only while what the store lacks is"
                + " less than half of ram.maxBytes. 0: never.")
        @Default("10")
        @Range(min = 0, max = 60_000)
        int giveWayMs,
    @Doc("The journal that makes a record durable.") LogConfig log,
    @Doc("The newest records, in memory.") RamConfig ram,
    @Doc("A copy of the newest records in the memory of another machine.")
        Optional<BackupConfig> backup,
    @Doc("The stores of the cold tier.") ColdConfig cold,
    @Doc("The way to the broadcast nodes.") FeedConfig feed,
    @Doc("Questions about the past.") HistoryConfig history) {

  public PersistConfig {
    Set<String> names = new HashSet<>(Set.of("embedded"));
    backup.ifPresent(store -> names.add(store.name()));
    for (StoreConfig store : cold.stores()) {
      if (!names.add(store.name())) {
        throw new IllegalArgumentException(
            "cold.stores must have names that differ, also from the embedded store's and the"
                + " backup's; give one of those called '"
                + store.name()
                + "' another name");
      }
    }
  }

  /** When a record counts as acknowledged. */
  public enum Ack {
    /** After the owner's Log has it on disk. */
    DISK,
    /**
     * After a second storing node's Log has it on disk as well. While there is no second one, new
     * records are refused.
     */
    REPLICA,
    /** As soon as the owner's RAM tier has it: lost with the owner's process. */
    MEMORY
  }
}
