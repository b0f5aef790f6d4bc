package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** The cold tier: an embedded store in one SQLite file that other tools can open, and others. */
public record ColdConfig(
    @Doc("Whether the embedded store keeps records.") @Default("true") boolean enabled,
    @Doc("Keeps one in this many records, chosen by topic and id; always Galop's own topics.")
        @Default("1")
        @Range(min = 1, max = 1_000_000)
        int every,
    @Doc("Hours that a record is kept after storing; 0 for ever.")
        @Default("0")
        @Range(min = 0, max = 876_000)
        int retentionHours,
    @Doc("Size at which the oldest records go; 0: unlimited.") @Default("0") @Range(min = 0)
        long maxBytes,
    @Doc("Approximate bytes of the Log per transaction.")
        @Default("2097152")
        @Range(min = 1024, max = 67_108_864)
        int batchBytes,
    @Doc(
            "How long the first record of a batch waits for others: larger "
                + "transactions against later storing.")
        @Default("100")
        @Range(min = 0, max = 60_000)
        int batchMs,
    @Doc("Concurrent queries.") @Default("2") @Range(min = 1, max = 64) int readers,
    @Doc("Queries that may wait for a reader; beyond, Galop refuses them.")
        @Default("256")
        @Range(min = 1, max = 65_536)
        int maxWaitingQueries,
    @Doc("Further stores beside it, each with a key every of its own.") @Default("[]")
        List<StoreConfig> stores) {
  public ColdConfig {
    stores = List.copyOf(stores);
  }
}
