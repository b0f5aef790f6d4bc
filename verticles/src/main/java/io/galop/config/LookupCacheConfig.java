package io.galop.config;

/** How the rows of a store are kept and waited for. */
public record LookupCacheConfig(
    @Doc(
            "How much of the rows each event loop keeps in memory, in bytes; beyond it, or beyond"
                + " maxRows, those not used for longest go.")
        @Default("33554432")
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxBytes,
    @Doc(
            "How old a row may be and still be added without waiting, in milliseconds; rows in use"
                + " are asked for again after refreshMs and do not get so old.")
        @Default("60000")
        @Range(min = 1, max = 86_400_000)
        long maxAgeMs,
    @Doc("How long it is remembered that there is no row, in milliseconds.")
        @Default("5000")
        @Range(min = 0, max = 86_400_000)
        long absentMs,
    @Doc(
            "How long a record, and those behind it in its shard, wait for the store at most, in"
                + " milliseconds. After a time-out or a failure nobody waits until the store has"
                + " answered in time again.")
        @Default("250")
        @Range(min = 1, max = 60_000)
        long timeoutMs,
    @Doc("After how long a select is given up and the connection made anew, in milliseconds.")
        @Default("10000")
        @Range(min = 10, max = 600_000)
        long giveUpMs,
    @Doc("How long after a failure the store is asked again, in milliseconds.")
        @Default("1000")
        @Range(min = 1, max = 600_000)
        long retryMs,
    @Doc("The most keys that one select asks for.") @Default("256") @Range(min = 1, max = 10_000)
        int maxKeys,
    @Doc("The most selects under way at a time, for each event loop.")
        @Default("4")
        @Range(min = 1, max = 64)
        int connections,
    @Doc("The most keys that may wait to be asked for; a record with one more does not wait.")
        @Default("65536")
        @Range(min = 1, max = 10_000_000)
        int maxPendingKeys) {
  public LookupCacheConfig {
    if (giveUpMs < timeoutMs) {
      throw new IllegalArgumentException("giveUpMs must be at least timeoutMs, " + timeoutMs);
    }
  }
}
