package io.galop.config;

/** How a store is written. */
public record SinkConfig(
    @Doc(
            "async: the store's client on event loops; sync: its usual blocking driver on threads"
                + " of its own; sync-virtual: the same on virtual threads (Java 21 and newer).")
        @Default("async")
        Driver driver,
    @Doc("The most records of one batch; fewer while the store is too slow for so many.")
        @Default("1000")
        @Range(min = 1, max = 8_000)
        int batchRecords,
    @Doc("About the most bytes of one batch; a single larger record is a batch of its own.")
        @Default("1048576")
        @Range(min = 1024, max = 67_108_864)
        int batchBytes,
    @Doc("How long the first record of a batch waits for others, in milliseconds.")
        @Default("50")
        @Range(min = 0, max = 60_000)
        int batchMs,
    @Doc("Batches that are under way to the store at the same time.")
        @Default("4")
        @Range(min = 1, max = 256)
        int inFlight,
    @Doc("The most bytes under way to the store; one batch is always allowed.")
        @Share(part = 32, atMost = 16_777_216)
        @Range(min = 1024, max = 1_073_741_824)
        long inFlightBytes,
    @Doc(
            "How long the store may take for a batch, in milliseconds; beyond it the connections"
                + " are made anew and what is not confirmed is sent again, in smaller batches.")
        @Default("30000")
        @Range(min = 100, max = 600_000)
        long timeoutMs,
    @Doc(
            "The longest pause between two attempts at a store that cannot be reached, in"
                + " milliseconds; the first is 100 and each twice as long as the one before.")
        @Default("10000")
        @Range(min = 100, max = 600_000)
        long maxPauseMs,
    @Doc(
            "How often a record is tried that the store itself calls bad before it becomes a dead"
                + " letter.")
        @Default("3")
        @Range(min = 1, max = 100)
        int attempts,
    @Doc(
            "The most bytes of dead-letters/NAME.ndjson in the data directory, where dead letters"
                + " go that neither the Log nor the store takes; one is always allowed. When it is"
                + " full the sink stays at the record, which is in the Log, until there is room.")
        @Default("67108864")
        @Range(min = 1024, max = 1_099_511_627_776L)
        long deadLetterFileBytes,
    @Doc("The node is unready while the store is so far behind, in seconds; 0 never.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int unreadyLagSeconds) {

  /** How a store is talked to. */
  public enum Driver {
    /** On event loops. */
    ASYNC,
    /** On platform threads. */
    SYNC,
    /** On virtual threads. */
    SYNC_VIRTUAL
  }

  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  public SinkConfig {
    int java = Runtime.version().feature();
    if (driver == Driver.SYNC_VIRTUAL && java < FIRST_WITH_VIRTUAL_THREADS) {
      throw new IllegalArgumentException(
          "driver must be async or sync on Java "
              + java
              + "; sync-virtual needs Java "
              + FIRST_WITH_VIRTUAL_THREADS
              + " or newer");
    }
  }
}
