package io.galop.persist.store;

import io.galop.persist.log.file.LogPosition;
import io.galop.record.Placed;
import java.util.List;
import java.util.Optional;

/**
 * A batch for a store.
 *
 * @param log the id of the Log that the records are from
 * @param bytes about what they take
 * @param cursor how far the Log is in the store with these records, for one that keeps it in their
 *     transaction ({@link Store#keepsCursor}). Empty while other batches are under way
 */
public record StoreBatch(long log, List<Placed> records, long bytes, Optional<LogPosition> cursor) {
  public StoreBatch {
    records = List.copyOf(records);
  }
}
