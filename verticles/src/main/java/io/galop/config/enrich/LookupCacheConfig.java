package io.galop.config.enrich;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** How the rows of a store are kept and waited for. */
public record LookupCacheConfig(
    @Doc("Cached bytes per event loop.")
        @Default("33554432")
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxBytes,
    @Doc("Oldest row that may be added without waiting.")
        @Default("60000")
        @Range(min = 1, max = 86_400_000)
        long maxAgeMs,
    @Doc("How long an absent row is remembered.") @Default("5000") @Range(min = 0, max = 86_400_000)
        long absentMs,
    @Doc("How long topics of this step [wait](operations.md#look-ups-in-a-store) for the store.")
        @Default("250")
        @Range(min = 1, max = 60_000)
        long timeoutMs,
    @Doc("Time limit of a select; then the connection is renewed.")
        @Default("10000")
        @Range(min = 10, max = 600_000)
        long giveUpMs,
    @Doc("Pause after a failure.") @Default("1000") @Range(min = 1, max = 600_000) long retryMs,
    @Doc("Most keys per select.") @Default("256") @Range(min = 1, max = 10_000) int maxKeys,
    @Doc("Concurrent selects per event loop.") @Default("4") @Range(min = 1, max = 64)
        int connections,
    @Doc("Keys that may wait for a select.") @Default("65536") @Range(min = 1, max = 10_000_000)
        int maxPendingKeys) {
  public LookupCacheConfig {
    if (giveUpMs < timeoutMs) {
      throw new IllegalArgumentException("giveUpMs must be at least timeoutMs, " + timeoutMs);
    }
  }
}
