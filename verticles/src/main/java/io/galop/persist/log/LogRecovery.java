package io.galop.persist.log;

import io.galop.persist.log.file.Damage;
import io.galop.persist.log.file.LogPosition;
import java.util.List;

/**
 * What opening the Log found.
 *
 * @param records that can be read
 * @param bytes of all segments
 * @param cutBytes of a last group that had not been written to its end, and was not acknowledged
 * @param damages stretches that cannot be read
 * @param missing Positions that are missing because of damage, as {@code <shard>.<epoch>-<first>}
 *     or {@code <shard>.<epoch>-<first>..<last>}
 * @param end of what earlier runs have left; {@link LogPosition#START} if that is nothing. What
 *     this run writes stands behind it, from the moment on that the Log is open
 * @param tookMs how long it took
 */
public record LogRecovery(
    long records,
    long bytes,
    long cutBytes,
    List<Damage> damages,
    List<String> missing,
    LogPosition end,
    long tookMs) {
  public LogRecovery {
    damages = List.copyOf(damages);
    missing = List.copyOf(missing);
  }
}
