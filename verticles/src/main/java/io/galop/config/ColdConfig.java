package io.galop.config;

import java.util.List;

/** The cold tier: an embedded store in one SQLite file that other tools can open, and others. */
public record ColdConfig(
    @Doc("Whether records are kept in the embedded store.") @Default("true") boolean enabled,
    @Doc("One in so many records is kept, chosen by its id; Galop's own topics are all kept.")
        @Default("1")
        @Range(min = 1, max = 1_000_000)
        int every,
    @Doc("How long a record is kept, in hours since it was stored; 0 for ever.")
        @Default("0")
        @Range(min = 0, max = 876_000)
        int retentionHours,
    @Doc("How large the store may grow, in bytes, before its oldest records go; 0 without limit.")
        @Default("0")
        @Range(min = 0)
        long maxBytes,
    @Doc("About how much of the Log is stored in one transaction, in bytes.")
        @Default("2097152")
        @Range(min = 1024, max = 67_108_864)
        int batchBytes,
    @Doc(
            "How long the first of a batch waits for others, in milliseconds: fewer, larger"
                + " transactions against how soon a record is in the store.")
        @Default("100")
        @Range(min = 0, max = 60_000)
        int batchMs,
    @Doc("Queries that may run at the same time.") @Default("2") @Range(min = 1, max = 64)
        int readers,
    @Doc("Queries that may wait for a reader; beyond it they are refused.")
        @Default("256")
        @Range(min = 1, max = 65_536)
        int maxWaitingQueries,
    @Doc("Further stores, each beside the others; with the key every of their own.") @Default("[]")
        List<StoreConfig> stores) {
  public ColdConfig {
    stores = List.copyOf(stores);
  }
}
