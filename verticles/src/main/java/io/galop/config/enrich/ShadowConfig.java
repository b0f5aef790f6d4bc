package io.galop.config.enrich;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** How a new version of a script is tried on live records before it takes over. */
public record ShadowConfig(
    @Doc("Shortest trial; 0: none.") @Default("10") @Range(min = 0, max = 86_400) int seconds,
    @Doc("Records that must be compared.") @Default("100") @Range(min = 0, max = 1_000_000_000)
        long minRecords,
    @Doc("Longest trial, then without minRecords rolled back.")
        @Default("300")
        @Range(min = 1, max = 86_400)
        int maxSeconds,
    @Doc("Percent of the records on which only the new version fails.")
        @Default("0.5")
        @Range(min = 0, max = 100)
        double maxErrorPercent,
    @Doc("Percent of the records with other results; 100: never rolls back.")
        @Default("100")
        @Range(min = 0, max = 100)
        double maxDifferencePercent,
    @Doc("CPU time per record as a multiple of the live version's.")
        @Default("3")
        @Range(min = 1, max = 1_000_000)
        double maxCostRatio,
    @Doc("CPU time per record always allowed.") @Default("100") @Range(min = 0, max = 60_000_000)
        long freeCostUs,
    @Doc("Average allocation per record as a multiple of the live version's.")
        @Default("3")
        @Range(min = 1, max = 1_000_000)
        double maxAllocationRatio,
    @Doc("Allocation per record always allowed.")
        @Default("262144")
        @Range(min = 0, max = 1_073_741_824)
        long freeAllocatedBytes,
    @Doc("Growth of the collected heap during the trial.")
        @Default("67108864")
        @Range(min = 1_048_576, max = 68_719_476_736L)
        long maxRetainedBytes,
    @Doc("Records that wait for the new version per event loop.")
        @Default("1024")
        @Range(min = 1, max = 1_000_000)
        int queueRecords,
    @Doc("Bytes of the waiting records per event loop.")
        @Default("8388608")
        @Range(min = 65_536, max = 1_073_741_824)
        long queueBytes) {
  public ShadowConfig {
    if (maxSeconds < seconds) {
      throw new IllegalArgumentException("maxSeconds must be at least seconds, " + seconds);
    }
  }
}
