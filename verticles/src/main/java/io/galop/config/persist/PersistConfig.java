package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The Log, the RAM tier and the stores. */
public record PersistConfig(
    @Doc("When a record counts as [acknowledged](protocol.md#publishers).") @Default("disk")
        Ack ack,
    @Doc("Ids remembered per shard, 24 to 32 bytes each.")
        @Share(part = 32, each = 512, atMost = 65_536)
        @Range(min = 64, max = 67_108_864)
        int rememberedIds,
    @Doc("Topics per shard whose latest record is kept for snapshots.")
        @Default("16384")
        @Range(min = 1, max = 16_777_216)
        int latestTopics,
    @Doc("Bytes of these records, for all shards.")
        @Share(part = 16, atMost = 1_073_741_824)
        @Range(min = 65_536, max = 1_099_511_627_776L)
        long latestBytes,
    @Doc(
            "Bytes of its Log that a starting node reads for topics' last values; snapshots that"
                + " may lack older ones are partial.")
        @Default("1073741824")
        @Range(min = 0, max = 1_099_511_627_776L)
        long latestLogBytes,
    @Doc("How long a new owner waits for the handover.")
        @Default("3000")
        @Range(min = 100, max = 60_000)
        long takeoverTimeoutMs,
    @Doc(
            "Event-loop delay beyond which stores [give way](stores.md#what-to-watch) "
                + "to the live feed; 0 never.")
        @Default("10")
        @Range(min = 0, max = 60_000)
        int giveWayMs,
    @Doc("The journal that makes a record durable.") LogConfig log,
    @Doc("The newest records, in memory.") RamConfig ram,
    @Doc("A copy of the newest records in another machine's memory.") Optional<BackupConfig> backup,
    @Doc("The stores of the cold tier.") ColdConfig cold,
    @Doc("The way to the broadcast nodes.") FeedConfig feed,
    @Doc("History queries.") HistoryConfig history,
    @Doc("[Values by the minute](stores.md#roll-ups), for rows of long times.")
        RollupConfig rollups) {

  public PersistConfig {
    Set<String> names = new HashSet<>(Set.of("embedded"));
    if (!rollups.rules().isEmpty()) {
      names.add("rollups");
    }
    backup.ifPresent(store -> names.add(store.name()));
    for (StoreConfig store : cold.stores()) {
      if (!names.add(store.name())) {
        throw new IllegalArgumentException(
            "cold.stores must have names that differ, also from the embedded store's, the"
                + " roll-ups' and the backup's; give one of those called '"
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
