package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** The cold tier: an embedded store in one SQLite file that other tools can open, and others. */
public record ColdConfig(
    @Doc("Whether there is an embedded store.") @Default("true") boolean enabled,
    @Doc("Keeps one in this many records, and all of Galop's own topics.")
        @Default("1")
        @Range(min = 1, max = 1_000_000)
        int every,
    @Doc("Hours that a record is kept after storing; 0 for ever.")
        @Default("0")
        @Range(min = 0, max = 876_000)
        int retentionHours,
    @Doc("Size at which the oldest records go; 0: unlimited.") @Default("0") @Range(min = 0)
        long maxBytes,
    @Doc("Approximate bytes per transaction.")
        @Default("2097152")
        @Range(min = 1024, max = 67_108_864)
        int batchBytes,
    @Doc("How long a batch waits for more records.") @Default("100") @Range(min = 0, max = 60_000)
        int batchMs,
    @Doc("Concurrent queries.") @Default("2") @Range(min = 1, max = 64) int readers,
    @Doc("Queries that may wait for a reader.") @Default("256") @Range(min = 1, max = 65_536)
        int maxWaitingQueries,
    @Doc("Further stores.") @Default("[]") List<StoreConfig> stores) {
  public ColdConfig {
    stores = List.copyOf(stores);
  }
}
