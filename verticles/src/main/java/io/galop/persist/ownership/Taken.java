package io.galop.persist.ownership;

import io.galop.record.Position;

/**
 * What came of a takeover.
 *
 * @param last the last durable Position that is known
 * @param isCertain whether nothing may have been placed after {@code last}
 * @param isOurs whether {@code last} is from this node's own Log
 * @param heardAll whether everybody who may have placed something was asked for it
 */
public record Taken(Position last, boolean isCertain, boolean isOurs, boolean heardAll) {
  /** What the new epoch follows on for viewers; none if that is not certain. */
  public Position follows() {
    return isCertain ? last : Position.none(last.shard());
  }
}
