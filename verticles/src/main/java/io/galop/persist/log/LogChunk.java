package io.galop.persist.log;

import io.galop.persist.log.file.LogPosition;
import io.galop.record.Placed;
import java.util.List;

/**
 * What one read of the Log gave.
 *
 * @param records in the order of the Log, which keeps the order of each shard; empty at the durable
 *     end, and also where only entries of other kinds were passed
 * @param next where to go on; the same as before only at the durable end
 * @param bytes how much of the Log was passed
 */
public record LogChunk(List<Placed> records, LogPosition next, long bytes) {
  public LogChunk {
    records = List.copyOf(records);
  }
}
