package io.galop.bus;

import io.galop.record.Position;

/**
 * The answer to a {@link Seal}.
 *
 * @param held whether the node had been the shard's owner
 * @param last the last durable Position, after which it will place nothing; the tail of the shard
 *     can be fetched from the same node
 * @param newestEpoch of all that the node has ever seen of the shard, with or without a record
 * @param log the identity of its Log; 0 if it did not tell, as older nodes do not
 * @param isDoubting whether records that are nowhere may have been lost with another node's Log
 * @param isInformed whether the node has heard of every epoch since it began one or was told of one
 */
public record Sealed(
    boolean held,
    Position last,
    long newestEpoch,
    long log,
    boolean isDoubting,
    boolean isInformed) {
  /** By a node that does not tell which Log it has. */
  public Sealed(boolean held, Position last, long newestEpoch) {
    this(held, last, newestEpoch, 0, false, false);
  }

  /** By a node that has seen nothing newer than that Position. */
  public Sealed(boolean held, Position last) {
    this(held, last, last.epoch());
  }
}
