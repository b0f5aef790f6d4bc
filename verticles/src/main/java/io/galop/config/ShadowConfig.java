package io.galop.config;

/** How a new version of a script is tried on live records before it takes over. */
public record ShadowConfig(
    @Doc("How long it runs beside the one in use at least, in seconds; 0: it takes over at once.")
        @Default("10")
        @Range(min = 0, max = 86_400)
        int seconds,
    @Doc("How many records it must have been compared on.")
        @Default("100")
        @Range(min = 0, max = 1_000_000_000)
        long minRecords,
    @Doc("After how long it is rolled back if there were fewer than minRecords, in seconds.")
        @Default("300")
        @Range(min = 1, max = 86_400)
        int maxSeconds,
    @Doc("In how many percent of the records it may fail where the one in use does not.")
        @Default("0.5")
        @Range(min = 0, max = 100)
        double maxErrorPercent,
    @Doc(
            "In how many percent of the records it may return something else than the one in use;"
                + " 100: differences are counted and shown only.")
        @Default("100")
        @Range(min = 0, max = 100)
        double maxDifferencePercent,
    @Doc(
            "How many times the processor time of the one in use it may take for a record, on"
                + " average over the second half of the shadow run.")
        @Default("3")
        @Range(min = 1, max = 1_000_000)
        double maxCostRatio,
    @Doc("What a record may cost whatever the ratio is, in microseconds of processor time.")
        @Default("100")
        @Range(min = 0, max = 60_000_000)
        long freeCostUs,
    @Doc("How many times the memory of the one in use it may allocate for a record, on average.")
        @Default("3")
        @Range(min = 1, max = 1_000_000)
        double maxAllocationRatio,
    @Doc("What a record may allocate whatever the ratio is, in bytes.")
        @Default("262144")
        @Range(min = 0, max = 1_073_741_824)
        long freeAllocatedBytes,
    @Doc(
            "By how much the heap may have grown after a collection while the new version runs, if"
                + " its own allocations can explain it, in bytes.")
        @Default("67108864")
        @Range(min = 1_048_576, max = 68_719_476_736L)
        long maxRetainedBytes,
    @Doc(
            "How many records may wait for the new version, for each event loop; what it is too"
                + " slow for is counted as not compared.")
        @Default("1024")
        @Range(min = 1, max = 1_000_000)
        int queueRecords,
    @Doc("How many bytes the waiting records may have, for each event loop.")
        @Default("8388608")
        @Range(min = 65_536, max = 1_073_741_824)
        long queueBytes) {
  public ShadowConfig {
    if (maxSeconds < seconds) {
      throw new IllegalArgumentException("maxSeconds must be at least seconds, " + seconds);
    }
  }
}
