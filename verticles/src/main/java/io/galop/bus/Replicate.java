package io.galop.bus;

import io.galop.record.Batch;
import io.galop.record.Position;

/**
 * Owner of a shard → the node that keeps a second copy.
 *
 * @param owner the id of the sending node
 * @param session names this attempt to keep the copy; a newer one ends an older one
 * @param follows whether nothing is missing between the copy and {@code batch}
 * @param goal what the owner has on disk: a copy that reaches it has all that was acknowledged
 * @param batch what to append; without records it begins a session
 */
public record Replicate(String owner, long session, boolean follows, Position goal, Batch batch) {

  /** Whether a session begins. */
  public boolean isBegin() {
    return batch.records().isEmpty();
  }
}
