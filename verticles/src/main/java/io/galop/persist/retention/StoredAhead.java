package io.galop.persist.retention;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Tells of the row at which retention begins, where it was stored while a clock was ahead. None
 * behind it is deleted by its age before that row is, and nothing else would say so until the disk
 * is full.
 */
public final class StoredAhead {
  /** Clocks differ, and a deletion that comes so late is no news. */
  private static final long MOST_MS = TimeUnit.MINUTES.toMillis(10);

  private StoredAhead() {}

  /**
   * What a store says of its first row.
   *
   * @param storedUs when it was stored, as it says
   * @param nowMs what time it is by the clock that is ahead of the others
   */
  public static Optional<String> warning(long storedUs, long nowMs) {
    long storedMs = TimeUnit.MICROSECONDS.toMillis(storedUs);
    return storedMs - MOST_MS <= nowMs
        ? Optional.empty()
        : Optional.of(
            "keeps old records: the first says that it was stored at "
                + second(storedMs)
                + ", the clock says "
                + second(nowMs)
                + ", and none behind it is deleted by its age before; if the clock is behind, set"
                + " it right, else give such records the present time as docs/stores.md shows");
  }

  private static Instant second(long ms) {
    return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS);
  }
}
