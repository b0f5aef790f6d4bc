package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;

/** How a store is written. */
public record SinkConfig(
    @Doc(
            "async: the store's client on event loops; sync: its blocking driver on "
                + "threads of its own; sync-virtual: on virtual threads (Java 21 and "
                + "newer).")
        @Default("async")
        Driver driver,
    @Doc("Most records per batch; fewer while the store is slow.")
        @Default("1000")
        @Range(min = 1, max = 8_000)
        int batchRecords,
    @Doc("Approximate bytes per batch; a larger record is a batch of its own.")
        @Default("1048576")
        @Range(min = 1024, max = 67_108_864)
        int batchBytes,
    @Doc("How long the first record of a batch waits for others.")
        @Default("50")
        @Range(min = 0, max = 60_000)
        int batchMs,
    @Doc("Batches in flight to the store.") @Default("4") @Range(min = 1, max = 256) int inFlight,
    @Doc("Bytes in flight to the store; one batch is always allowed.")
        @Share(part = 32, atMost = 16_777_216)
        @Range(min = 1024, max = 1_073_741_824)
        long inFlightBytes,
    @Doc(
            "Time limit of a batch; then Galop reconnects and resends the rest in "
                + "smaller batches.")
        @Default("30000")
        @Range(min = 100, max = 600_000)
        long timeoutMs,
    @Doc("Longest pause between attempts; the first is 100 and each doubles.")
        @Default("10000")
        @Range(min = 100, max = 600_000)
        long maxPauseMs,
    @Doc("Attempts at a record that the store calls bad.") @Default("3") @Range(min = 1, max = 100)
        int attempts,
    @Doc(
            "Most bytes of dead-letters/NAME.ndjson in the data directory, for dead "
                + "letters that neither Log nor store takes; when it is full the sink "
                + "stops.")
        @Default("67108864")
        @Range(min = 1024, max = 1_099_511_627_776L)
        long deadLetterFileBytes,
    @Doc("Lag at which the node is unready; 0 never.") @Default("0") @Range(min = 0, max = 86_400)
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

  /** The same for a store that takes one batch after the other, to keep their order. */
  SinkConfig inOrder() {
    return new SinkConfig(
        Driver.SYNC,
        batchRecords,
        batchBytes,
        batchMs,
        1,
        inFlightBytes,
        timeoutMs,
        maxPauseMs,
        attempts,
        deadLetterFileBytes,
        unreadyLagSeconds);
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
