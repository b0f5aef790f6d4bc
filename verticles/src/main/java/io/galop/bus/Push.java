package io.galop.bus;

import io.galop.record.Batch;
import io.galop.record.Position;

/**
 * A placed Batch for a broadcast node. The reply to it is the node's credit for more. An empty
 * Batch is a sign of life, sent about every second.
 *
 * @param session of the {@link Follow} that asked for it
 * @param after the Position that the Batch follows on without a hole
 * @param head the newest Position of the shard when this was sent
 */
public record Push(long session, Position after, Position head, Batch batch) {
  /** How many records it has, by what the owner says of its Positions. */
  public long records() {
    if (batch.records().isEmpty()) {
      return 0;
    }
    Position end = batch.position(batch.records().size() - 1);
    boolean goesOn = after.epoch() == end.epoch();
    return end.offset() - (goesOn ? after.offset() : batch.firstOffset() - 1);
  }
}
